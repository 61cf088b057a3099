// Elements of a list that stay in place while their content changes, so that they keep the focus.

export class Rows {
  #rows = new Map();

  // fill(element, item) is called for every item each time, create(element, key) once
  constructor(list, template, fill, create = () => {}) {
    this.list = list;
    this.template = document.getElementById(template);
    this.fill = fill;
    this.create = create;
  }

  show(items, keyOf) {
    const keys = new Set(items.map(keyOf));
    for (const [key, row] of this.#rows) {
      if (!keys.has(key)) {
        row.remove();
        this.#rows.delete(key);
      }
    }
    items.forEach((item, index) => {
      const row = this.#row(keyOf(item));
      if (this.list.children[index] !== row) {
        this.list.insertBefore(row, this.list.children[index] ?? null);
      }
      this.fill(row, item);
    });
  }

  #row(key) {
    if (!this.#rows.has(key)) {
      const row = this.template.content.firstElementChild.cloneNode(true);
      this.create(row, key);
      this.#rows.set(key, row);
    }
    return this.#rows.get(key);
  }
}

// a text that is replaced only if it has changed
export function write(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}
