import { Facet, Prec, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, keymap, type Command, type DecorationSet } from '@codemirror/view';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { findDataReferences } from './data-references';
import { pillTheme } from './pill-theme';
import { PillWidget } from './pill-widget';
import { spokenReference, type DescribeReference, type ReferenceDescription } from './reference-description';

/** A reference with its description. It is drawn as a pill, unless the cursor is in it. */
interface DescribedReference {
  from: number;
  to: number;
  description: ReferenceDescription;
}

interface PillOptions {
  language: ExpressionLanguage;
  /** The text is JSON, whose texts have references. */
  isJson: boolean;
  describe: DescribeReference | undefined;
}

const pillOptions = Facet.define<PillOptions>();

/** The data or the names of nodes have changed. */
export const redescribePills = StateEffect.define<DescribeReference | undefined>();

interface DrawnPills {
  describe: DescribeReference | undefined;
  references: readonly DescribedReference[];
  drawn: DecorationSet;
}

const pillsField = StateField.define<DrawnPills>({
  create(state) {
    const describe = state.facet(pillOptions)[0]?.describe;
    return drawPills(state, describe, readReferences(state, describe));
  },
  update(value, change) {
    const redescribed = change.effects.find((effect) => effect.is(redescribePills));
    const describe = redescribed ? redescribed.value : value.describe;
    if (change.docChanged || redescribed)
      return drawPills(change.state, describe, readReferences(change.state, describe));
    return change.selection ? drawPills(change.state, describe, value.references) : value;
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ drawn }) => drawn),
    EditorView.atomicRanges.of((view) => view.state.field(field).drawn),
  ],
});

function readReferences(state: EditorState, describe: DescribeReference | undefined): DescribedReference[] {
  const [options] = state.facet(pillOptions);
  if (!options || !describe) return [];
  return findDataReferences(state.doc.toString(), options.language, options.isJson).flatMap(({ from, to, steps }) => {
    const description = describe(steps);
    return description ? [{ from, to, description }] : [];
  });
}

/** The cursor is in the text of a reference, which is open then. */
const isCursorIn = ({ selection: { main } }: EditorState, { from, to }: DescribedReference): boolean =>
  [main.anchor, main.head].some((place) => from < place && place < to);

const isSelected = ({ selection: { main } }: EditorState, { from, to }: DescribedReference): boolean =>
  main.from === from && main.to === to;

function drawPills(
  state: EditorState,
  describe: DescribeReference | undefined,
  references: readonly DescribedReference[],
): DrawnPills {
  const drawn = Decoration.set(
    references
      .filter((reference) => !isCursorIn(state, reference))
      .map((reference) =>
        Decoration.replace({
          widget: new PillWidget(reference.description, isSelected(state, reference), pressPill),
        }).range(reference.from, reference.to),
      ),
  );
  return { describe, references, drawn };
}

const findPill = (state: EditorState, isSought: (reference: DescribedReference) => boolean) =>
  state.field(pillsField).references.find((reference) => !isCursorIn(state, reference) && isSought(reference));

const PILL_KEYS_TEXT = 'Enter opens its text, Backspace removes it.';

function selectPill(view: EditorView, { from, to, description }: DescribedReference): void {
  view.dispatch({
    selection: { anchor: from, head: to },
    scrollIntoView: true,
    effects: EditorView.announce.of(`${spokenReference(description)}. ${PILL_KEYS_TEXT}`),
  });
}

/** Puts the cursor behind the path, where its text is shown. */
function openPill(view: EditorView, { from, to }: DescribedReference): void {
  const braces = /\s*\}\}$/.exec(view.state.sliceDoc(from, to))?.[0].length ?? 2;
  view.dispatch({ selection: { anchor: to - braces }, scrollIntoView: true });
}

function pressPill(view: EditorView, dom: HTMLElement, isDouble: boolean): void {
  const at = view.posAtDOM(dom);
  const pill = findPill(view.state, ({ from }) => from === at);
  view.focus();
  if (!pill) return;
  if (isDouble) openPill(view, pill);
  else selectPill(view, pill);
}

/** An arrow key that meets a pill selects it; the next one leaves it. */
const selectNeighbour =
  (side: 'from' | 'to'): Command =>
  (view) => {
    const { main } = view.state.selection;
    const pill = main.empty && findPill(view.state, (reference) => reference[side] === main.head);
    if (pill) selectPill(view, pill);
    return Boolean(pill);
  };

const openSelected: Command = (view) => {
  const pill = findPill(view.state, (reference) => isSelected(view.state, reference));
  if (pill) openPill(view, pill);
  return pill !== undefined;
};

/** An editor that loses the focus closes the reference that is open. */
function closeReference(view: EditorView): void {
  const open = view.state.field(pillsField).references.find((reference) => isCursorIn(view.state, reference));
  if (open) view.dispatch({ selection: { anchor: open.to } });
}

/** Draws paths to data as pills. Their text stays in the document: it is stored and copied. */
export const dataPills = (options: PillOptions): Extension => [
  pillOptions.of(options),
  pillsField,
  Prec.high(
    keymap.of([
      { key: 'ArrowRight', run: selectNeighbour('from') },
      { key: 'ArrowLeft', run: selectNeighbour('to') },
      { key: 'Enter', run: openSelected },
    ]),
  ),
  EditorView.domEventHandlers({ blur: (_, view) => closeReference(view) }),
  pillTheme,
];
