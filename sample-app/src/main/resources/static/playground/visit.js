// Visit: the stream of decisions of two rules, and the requests that change them. It begins when it is
// needed, and again when the connection was lost.

export class Visit {
  #events = null;
  #address = null;
  #opening = null;
  #isOpen = false;
  #last = Promise.resolve();

  // onOpen() returns a promise; other requests wait for it
  constructor({ onOpen, onReport, onEnd }) {
    this.on = { onOpen, onReport, onEnd };
    // a browser may cache the page, with its stream, for the back button
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', ({ persisted }) => persisted && this.open());
  }

  // resolves when requests can be sent
  open() {
    if (!this.#events) {
      this.#opening = deferred();
      this.#connect();
    }
    return this.#opening.promise;
  }

  #connect() {
    const events = new EventSource('playground/visits');
    this.#events = events;
    events.addEventListener('welcome', (event) => this.#welcome(JSON.parse(event.data)));
    events.addEventListener('report', (event) => this.on.onReport(JSON.parse(event.data)));
    events.addEventListener('goodbye', () => this.#end('This page was quiet for long. Press a button to go on.'));
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED) {
        this.#end('The playground cannot be reached, or all its seats are taken. Press a button to try again.');
      } else {
        this.#lose();
      }
    });
  }

  // the connection may be lost again meanwhile
  async #welcome({ id }) {
    const address = `playground/visits/${id}`;
    this.#address = address;
    await this.on.onOpen();
    if (this.#address === address) {
      this.#isOpen = true;
      this.#opening.resolve();
    }
  }

  // the browser reconnects by itself
  #lose() {
    this.#address = null;
    if (this.#isOpen) {
      this.#isOpen = false;
      this.#opening = deferred();
    }
    this.on.onEnd('The connection is lost. Trying again.');
  }

  #end(why) {
    this.#close();
    this.#opening.reject(new Error(why));
    this.on.onEnd(why);
  }

  #close() {
    this.#events?.close();
    this.#events = null;
    this.#address = null;
    this.#isOpen = false;
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

  // one after the other, so that the latest change wins
  #request(method, path, body) {
    if (!this.#address) {
      return this.open().then(() => this.#request(method, path, body));
    }
    const answer = this.#last.then(() => this.#send(method, path, body));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #send(method, path, body) {
    const address = path === 'load' ? 'playground/load' : `${this.#address}/${path}`;
    const response = await fetch(address, { method, body });
    if (!response.ok) {
      throw new Refusal(await response.json().catch(() => ({ detail: `The server answers with ${response.status}.` })));
    }
  }
}

function deferred() {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  deferred.promise.catch(() => {});
  return deferred;
}

// errors that the server reports, by field
export class Refusal extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.mistakes = problem.mistakes ?? [];
  }
}
