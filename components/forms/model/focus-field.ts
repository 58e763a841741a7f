const FOCUSABLE_SELECTOR =
  'input:not([type=hidden], [type=radio]), textarea, select, [contenteditable=true], button[data-picker]';

/** `cases[0].port` → `cases[0]` → `cases` → undefined. */
const parentFieldPath = (path: string): string | undefined => /^(.+?)(?:\.[^.[\]]+|\[\d+\])$/.exec(path)?.[1];

/** Scrolls to a field, or to the nearest one around it, and focuses its control. False: there is no control. */
export function focusFormField(form: HTMLElement, path: string): boolean {
  for (let at: string | undefined = path; at !== undefined; at = parentFieldPath(at)) {
    const field = form.querySelector<HTMLElement>(`[data-field="${CSS.escape(at)}"]`);
    if (!field) continue;
    field.scrollIntoView({ block: 'center' });
    const control =
      field.querySelector<HTMLElement>('[aria-invalid="true"]') ?? field.querySelector<HTMLElement>(FOCUSABLE_SELECTOR);
    control?.focus({ preventScroll: true });
    return control !== null;
  }
  return false;
}

/** Focuses the first control of a form that is no credential. False: the form has none. */
export function focusFirstField(form: HTMLElement): boolean {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-field]:not([data-field="credentialId"])')];
  const [control] = fields.flatMap((field) => field.querySelector<HTMLElement>(FOCUSABLE_SELECTOR) ?? []);
  control?.focus({ preventScroll: true });
  return control !== undefined;
}

/** Parts of a form may take this long to load. */
const FORM_LOAD_TIMEOUT_MS = 5000;

/** Calls `find` until it returns true: now, and as parts of the form are added. Returns a function that ends this. */
export function retryOnFormChange(form: HTMLElement, find: () => boolean): () => void {
  if (find()) return () => undefined;
  const observer = new MutationObserver(() => {
    if (find()) observer.disconnect();
  });
  observer.observe(form, { childList: true, subtree: true });
  const timer = setTimeout(() => observer.disconnect(), FORM_LOAD_TIMEOUT_MS);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}
