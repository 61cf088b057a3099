import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const { homePage, version, sidebar } = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url)))

// the path below which this version is published, and the address of all versions: see .github/workflows/site.yml
const base = process.env.SITE_BASE ?? '/'
const host = process.env.SITE_HOST ?? 'http://localhost:4173/'
const released = execFileSync('git', ['tag', '--list', 'v*', '--sort=-v:refname'], { encoding: 'utf8' }).split('\n').filter(Boolean)

export default defineConfig({
  base,
  srcDir: 'pages',
  title: 'Rate limiting for Spring Boot',
  description: 'One annotation limits a method across all instances, exactly, in one round trip to Redis.',
  lang: 'en',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  // a link to a page or to a heading that does not exist fails the build
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  markdown: {
    theme: { light: 'github-light', dark: 'github-dark' },
    // headings have the same names as on GitHub
    anchor: { slugify: (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-') }
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // names such as retry-after and ratelimit.redis.timeout are words, as their parts are
        miniSearch: {
          options: {
            tokenize: (text) => (text.match(/[\p{L}\p{N}]+(?:[-.][\p{L}\p{N}]+)*/gu) ?? [])
              .flatMap((word) => (/[-.]/.test(word) ? [word, ...word.split(/[-.]/)] : [word]))
          }
        }
      }
    },
    outline: [2, 3],
    sidebar,
    socialLinks: [{ icon: 'github', link: homePage }],
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: '简体中文', link: '/zh/' },
      {
        text: version,
        items: [{ text: 'Changes', link: '/CHANGELOG' }, { text: 'Development', link: host, target: '_self' },
          ...released.map((tag) => ({ text: tag, link: `${host}${tag}/`, target: '_self' }))]
      }
    ]
  }
})
