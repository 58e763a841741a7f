let isPressed = false;

/** Follows whether a pointer is pressed anywhere on the page, until it is called off. */
export function watchPress(): () => void {
  const press = () => {
    isPressed = true;
  };
  const release = () => {
    isPressed = false;
  };
  addEventListener('pointerdown', press, true);
  addEventListener('pointerup', release, true);
  addEventListener('pointercancel', release, true);
  return () => {
    release();
    removeEventListener('pointerdown', press, true);
    removeEventListener('pointerup', release, true);
    removeEventListener('pointercancel', release, true);
  };
}

/**
 * Runs something once nothing is pressed: at once, or, `byHand`, after what the release itself brings about. Answers how
 * to call it off.
 */
export function whenReleased(run: (byHand: boolean) => void): () => void {
  if (!isPressed) {
    run(false);
    return () => undefined;
  }
  let frame = 0;
  const later = () => {
    frame = requestAnimationFrame(() => run(true));
  };
  addEventListener('pointerup', later, { once: true });
  return () => {
    removeEventListener('pointerup', later);
    cancelAnimationFrame(frame);
  };
}
