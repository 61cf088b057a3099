// A visit: the stream of what two rules decide, and the requests that change them. It begins when it is
// needed, and again when the connection was lost.

export class Visit {
  #events = null;
  #opened = null;
  #last = Promise.resolve();

  constructor({ onOpen, onReport, onEnd }) {
    this.on = { onOpen, onReport, onEnd };
    // a browser may keep the page for the way back, with its stream
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', ({ persisted }) => persisted && this.open());
  }

  // resolves to the visit's address
  open() {
    this.#opened ??= new Promise((resolve, reject) => this.#connect(resolve, reject));
    return this.#opened;
  }

  #connect(resolve, reject) {
    const events = new EventSource('playground/visits');
    this.#events = events;
    events.addEventListener('welcome', (event) => {
      const address = `playground/visits/${JSON.parse(event.data).id}`;
      this.#opened = Promise.resolve(address);
      resolve(address);
      this.on.onOpen();
    });
    events.addEventListener('report', (event) => this.on.onReport(JSON.parse(event.data)));
    events.addEventListener('goodbye', () => this.#end('This page was quiet for long. Press a button to go on.'));
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED) {
        this.#end('The playground cannot be reached, or all its seats are taken. Press a button to try again.');
        reject(new Error('No visit'));
      }
    });
  }

  #end(why) {
    this.#close();
    this.on.onEnd(why);
  }

  #close() {
    this.#events?.close();
    this.#opened = null;
  }

  put(path, form) {
    return this.#request('PUT', path, new URLSearchParams(form));
  }

  post(path, form) {
    return this.#request('POST', path, new URLSearchParams(form));
  }

  delete(path) {
    return this.#request('DELETE', path);
  }

  // one after the other: what was said last holds
  #request(method, path, body) {
    const answer = this.#last.then(() => this.#send(method, path, body));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #send(method, path, body) {
    const address = await this.open();
    const response = await fetch(path === 'load' ? 'playground/load' : `${address}/${path}`, { method, body });
    if (!response.ok) {
      throw new Refusal(await response.json().catch(() => ({ detail: `The server answers with ${response.status}.` })));
    }
  }
}

// what the server says is wrong, with the fields it is about
export class Refusal extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.mistakes = problem.mistakes ?? [];
  }
}
