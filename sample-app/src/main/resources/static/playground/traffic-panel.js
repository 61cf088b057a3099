// Traffic: automatic or by hand.

export class TrafficPanel {
  #form = document.getElementById('traffic');
  #start = document.getElementById('start');
  #rate = document.getElementById('rate');
  #load = document.getElementById('load');
  #notice = document.getElementById('notice');
  #running = false;
  #sendingLoad = false;

  constructor(visit) {
    this.visit = visit;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#try(() => (this.#running ? this.stop() : this.start()));
    });
    this.#form.addEventListener('change', ({ target }) => this.#changed(target));
    this.#rate.addEventListener('input', () => this.#show());
    this.#load.addEventListener('input', () => this.#try(() => this.#sendLoad()));
    this.#on('send-1', () => visit.post('calls', { count: 1 }));
    this.#on('send-10', () => visit.post('calls', { count: 10 }));
    this.#on('clear', () => this.clear());
    this.#show();
  }

  get #shape() {
    return this.#form.elements.shape.value;
  }

  set({ shape, rate }) {
    this.#form.elements.shape.value = shape;
    this.#rate.value = rate;
    this.#show();
  }

  async start() {
    await this.clear();
    await this.#sendTraffic();
  }

  stop() {
    return this.visit.delete('traffic');
  }

  // the next report begins a new round
  clear() {
    return this.visit.delete('calls');
  }

  report({ running, load }) {
    this.#running = running;
    this.#notice.hidden = true;
    if (document.activeElement !== this.#load) {
      this.#load.value = load;
    }
    this.#show();
  }

  showNotice(text) {
    this.#running = false;
    this.#notice.textContent = text;
    this.#notice.hidden = false;
    this.#show();
  }

  #sendTraffic() {
    return this.visit.put('traffic', { shape: this.#shape, rate: this.#rate.value });
  }

  // a slider moves faster than requests: after the one in flight, only the newest value is sent
  async #sendLoad() {
    this.#show();
    if (this.#sendingLoad) {
      return;
    }
    this.#sendingLoad = true;
    try {
      let sent;
      do {
        sent = this.#load.value;
        await this.visit.put('load', { value: sent });
      } while (sent !== this.#load.value);
    } finally {
      this.#sendingLoad = false;
    }
  }

  #changed(field) {
    this.#show();
    if (this.#running && field !== this.#load) {
      this.#try(() => this.#sendTraffic());
    }
  }

  #on(button, action) {
    document.getElementById(button).addEventListener('click', () => this.#try(action));
  }

  async #try(action) {
    try {
      await action();
    } catch (refusal) {
      this.showNotice(refusal.message);
    }
  }

  #show() {
    const byHand = this.#shape === 'by-hand';
    this.#start.textContent = this.#running ? 'Stop' : 'Start';
    this.#start.hidden = byHand && !this.#running;
    document.getElementById('rate-field').hidden = byHand;
    document.getElementById('rate-value').textContent = this.#rate.value;
    this.#load.ariaValueText = document.getElementById('load-value').textContent = `${Math.round(100 * this.#load.value)} %`;
  }
}
