import { WidgetType, type EditorView } from '@codemirror/view';
import { spokenReference, type ReferenceDescription } from './reference-description';

/** A pill: the name of what a path leads to, and a sample of its value. */
export class PillWidget extends WidgetType {
  constructor(
    private readonly description: ReferenceDescription,
    private readonly isSelected: boolean,
    private readonly onPress: (view: EditorView, dom: HTMLElement, isDouble: boolean) => void,
  ) {
    super();
  }

  override eq(other: PillWidget): boolean {
    return (
      this.isSelected === other.isSelected && spokenReference(this.description) === spokenReference(other.description)
    );
  }

  override toDOM(view: EditorView): HTMLElement {
    const { name, sample } = this.description;
    const dom = document.createElement('span');
    dom.className = this.isSelected ? 'cm-pill cm-pill-selected' : 'cm-pill';
    dom.setAttribute('role', 'img');
    dom.setAttribute('aria-label', spokenReference(this.description));
    dom.title = spokenReference(this.description);
    dom.append(createTextSpan('cm-pill-name', name));
    if (sample !== '') dom.append(createTextSpan('cm-pill-sample', sample));
    dom.addEventListener('mousedown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      this.onPress(view, dom, event.detail > 1);
    });
    return dom;
  }
}

function createTextSpan(className: string, text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
}
