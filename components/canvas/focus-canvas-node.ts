/** Moves the focus to a node on the canvas, which then has the keyboard. */
export const focusCanvasNode = (id: string): void =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
