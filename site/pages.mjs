// Copies the documents of the repository, as GitHub shows them, into the pages of the site. Links between documents stay, links to
// other files lead to the repository. What docs/README.md lists becomes the sidebar.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = dirname(fileURLToPath(import.meta.url))
const root = dirname(site)
const pages = join(site, 'pages')

const markdown = (folder) =>
  readdirSync(join(root, folder)).filter((name) => name.endsWith('.md')).map((name) => posix.join(folder, name))

const examples = ['examples', ...readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory()).map((entry) => `examples/${entry.name}`)]

const documents = new Set([...markdown('.'), ...markdown('docs'), ...markdown('docs/contributing'), ...examples.flatMap(markdown)])

const pom = readFileSync(join(root, 'pom.xml'), 'utf8')
const homePage = pom.match(/<home\.page>(.+?)</)[1]
const version = pom.match(/<version>(.+?)</)[1]

// the page of a document: what its folder is about is the folder's index
const pageOf = (document) => document.replace(/(^|\/)README(\.zh-CN)?\.md$/, (_, before, language) => before + (language ? 'zh/' : '') + 'index.md')

function link(from, target) {
  const [path, anchor] = target.split('#')
  if (path === '' || /^[a-z]+:/.test(target)) {
    return target
  }
  let file = posix.join(posix.dirname(from), path)
  if (existsSync(join(root, file)) && statSync(join(root, file)).isDirectory() && documents.has(`${file}/README.md`)) {
    file = `${file}/README.md`
  }
  if (!existsSync(join(root, file))) {
    throw new Error(`${from}: ${target} does not exist`)
  }
  if (documents.has(file)) {
    return '/' + pageOf(file) + (anchor ? `#${anchor}` : '')
  }
  return isImage(file) ? '/' + file : `${homePage}/blob/main/${file}`
}

const isImage = (file) => /\.(svg|png)$/.test(file)

function page(document) {
  const text = readFileSync(join(root, document), 'utf8')
  let code = false
  return text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) {
      code = !code
    }
    return code ? line : line
      // Markdown's links and images; what is between backticks is no link
      .replace(/(`[^`]*`)|(\]\()([^)\s]+)(\))/g, (all, quoted, before, target, after) => quoted ?? before + link(document, target) + after)
      .replace(/(\b(?:src|srcset)=")([^"]+)"/g, (_, before, target) => `${before}${link(document, target)}"`)
  }).join('\n')
}

function sidebar() {
  const groups = []
  for (const row of readFileSync(join(root, 'docs/README.md'), 'utf8').split('\n').filter((line) => line.startsWith('| '))) {
    const cell = row.split(' | ')[0]
    const group = cell.match(/^\| \*\*(.+)\*\*/)
    if (group) {
      groups.push({ text: group[1], items: [] })
    }
    for (const [, text, target] of groups.length ? cell.matchAll(/\[(.+?)\]\((.+?)\)/g) : []) {
      if (target.endsWith('.md')) {
        groups.at(-1).items.push({ text: text.replaceAll('`', ''), link: link('docs/README.md', target).replace(/(index)?\.md$/, '') })
      }
    }
  }
  return groups
}

rmSync(pages, { recursive: true, force: true })
for (const document of documents) {
  const target = join(pages, pageOf(document))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, page(document))
}
cpSync(join(root, 'docs/images'), join(pages, 'public/docs/images'), { recursive: true })
cpSync(join(root, 'sample-app/src/main/resources/static/playground/icon.svg'), join(pages, 'public/icon.svg'))
writeFileSync(join(pages, 'site.json'), JSON.stringify({ homePage, version, sidebar: sidebar() }, null, 2))
