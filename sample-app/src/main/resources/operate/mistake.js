// Refusal of a form by the endpoint, in its own words.

export class Mistake {
  constructor(form) {
    this.form = form;
    this.text = form.querySelector('.mistake');
    form.addEventListener('input', () => this.hide());
  }

  show(message) {
    this.text.textContent = message;
    this.text.hidden = false;
  }

  hide() {
    this.text.hidden = true;
    this.text.textContent = '';
  }
}
