// Scenes to start with: two rules, and traffic that shows their difference.

export const scenes = [
  {
    name: 'The edge of a window',
    shape: 'steady',
    rate: 3,
    a: { algorithm: 'fixed-window', max: '10', period: '5s' },
    b: { algorithm: 'sliding-log', max: '10', period: '5s' },
  },
  {
    name: 'Bursts and a bucket',
    shape: 'bursts',
    rate: 2,
    a: { algorithm: 'sliding-log', max: '10', period: '10s' },
    b: { algorithm: 'token-bucket', max: '10', period: '10s', burst: '5' },
  },
  {
    name: 'A queue instead of denials',
    shape: 'bursts',
    rate: 2,
    a: { algorithm: 'token-bucket', max: '2', period: '1s', burst: '2' },
    b: { algorithm: 'leaky-bucket', max: '2', period: '1s', 'max-wait': '3s' },
  },
  {
    name: 'An attack',
    shape: 'attack',
    rate: 2,
    a: { algorithm: 'weighted-window', max: '20', period: '5s' },
    b: { algorithm: 'sliding-log', max: '20', period: '5s', 'count-denied': true },
  },
  {
    name: 'Warm-up',
    shape: 'steady',
    rate: 20,
    a: { algorithm: 'token-bucket', max: '10', period: '1s', burst: '5' },
    b: { algorithm: 'warm-up', max: '10', period: '1s', 'warm-up-period': '8s' },
  },
  {
    name: 'Slow calls, three at a time',
    shape: 'steady',
    rate: 2,
    a: { algorithm: 'sliding-log', max: '3', period: '3s' },
    b: { algorithm: 'concurrency', max: '3', 'call-takes': '3s' },
  },
  {
    name: 'Denied too often: a ban',
    shape: 'steady',
    rate: 2,
    a: { algorithm: 'sliding-log', max: '5', period: '10s' },
    b: { algorithm: 'sliding-log', max: '5', period: '10s', 'ban.after': '5', 'ban.within': '10s', 'ban.lasting': '20s' },
  },
  {
    name: 'Two plans, one counter',
    shape: 'steady',
    rate: 2,
    a: { algorithm: 'sliding-log', max: '5', period: '10s', plan: 'free' },
    b: { algorithm: 'sliding-log', max: '15', period: '10s', plan: 'pro' },
  },
  {
    name: 'Under load',
    shape: 'steady',
    rate: 4,
    a: { algorithm: 'sliding-log', max: '10', period: '5s' },
    b: {
      algorithm: 'sliding-log',
      period: '5s',
      'adaptive.low.at': '0.3',
      'adaptive.low.max': '10',
      'adaptive.high.at': '0.9',
      'adaptive.high.max': '2',
    },
  },
];
