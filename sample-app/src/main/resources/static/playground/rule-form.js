// Fields of one rule: shows those that have an effect, sends changes, and shows errors beside the fields.

export class RuleForm {
  #form;
  #timer;
  #version = 0;

  // send(fields) returns a promise that rejects with a Refusal
  constructor(form, send) {
    this.#form = form;
    this.send = send;
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', () => this.#changed());
    form.addEventListener('change', () => this.#changed());
    this.#showWhatApplies();
  }

  get algorithm() {
    return this.#form.elements.algorithm.value;
  }

  // the values entered, in the order of the fields, without empty ones
  get values() {
    return [...new FormData(this.#form)].filter(([, value]) => value.trim() !== '');
  }

  set(values) {
    this.#form.reset();
    this.#followsLoad.checked = Object.keys(values).some((name) => name.startsWith('adaptive.'));
    this.#bans.checked = Object.keys(values).some((name) => name.startsWith('ban.'));
    for (const [name, value] of Object.entries(values)) {
      const field = this.#form.elements[name];
      if (field.type === 'checkbox') {
        field.checked = value;
      } else {
        field.value = value;
      }
    }
    this.#showWhatApplies();
  }

  // show the state: pending, applied or refused
  async apply() {
    clearTimeout(this.#timer);
    const version = ++this.#version;
    this.#form.dataset.state = 'pending';
    let mistakes = [];
    try {
      await this.send(this.values);
    } catch (refusal) {
      mistakes = refusal.mistakes?.length ? refusal.mistakes : [{ field: 'algorithm', message: refusal.message }];
    }
    if (version === this.#version) {
      this.#show(mistakes);
      this.#form.dataset.state = mistakes.length ? 'refused' : 'applied';
    }
  }

  #changed() {
    this.#showWhatApplies();
    this.#version++;
    this.#form.dataset.state = 'pending';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.apply(), 250);
  }

  get #followsLoad() {
    return this.#form.querySelector('.follows-load');
  }

  get #bans() {
    return this.#form.querySelector('.bans');
  }

  #showWhatApplies() {
    const selected = this.#form.elements.algorithm.selectedOptions[0];
    this.#form.querySelector('.admits').textContent = selected.dataset.admits;
    for (const field of this.#form.querySelectorAll('[data-for], [data-not]')) {
      const applies = field.dataset.for?.split(' ').includes(selected.value) ?? field.dataset.not !== selected.value;
      field.hidden = !applies;
      field.querySelector('input, select').disabled = !applies;
    }
    const adaptive = this.#form.querySelector('.adaptive');
    adaptive.hidden = adaptive.disabled = !this.#followsLoad.checked;
    const ban = this.#form.querySelector('.ban');
    ban.hidden = ban.disabled = !this.#bans.checked || this.#bans.disabled;
    const max = this.#form.elements.max;
    max.disabled = max.parentElement.hidden = this.#followsLoad.checked;
  }

  #show(mistakes) {
    for (const wrong of this.#form.querySelectorAll('.wrong')) {
      wrong.classList.remove('wrong');
      wrong.querySelector('.mistake').remove();
      wrong.querySelector('input, select').removeAttribute('aria-invalid');
    }
    mistakes.forEach(({ field, message }) => this.#showMistake(field, message));
  }

  #showMistake(name, message) {
    const field = this.#form.elements[name] ?? this.#form.elements.period;
    const label = field.closest('label');
    const text = document.createElement('small');
    text.className = 'mistake';
    text.role = 'alert';
    text.textContent = message;
    label.classList.add('wrong');
    label.append(text);
    field.setAttribute('aria-invalid', 'true');
  }
}
