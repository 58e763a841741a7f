import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

export type LazyWithPreload<Props> = ((props: Props) => ReactNode) & {
  /** Preloads the code, so that the component renders at once when needed. */
  load(): Promise<unknown>;
};

/**
 * A component whose code is loaded when it is first shown, or earlier by `load`. Until then `waiting` is shown, which may
 * depend on the props. Unlike React.lazy, a preloaded component renders without suspending.
 */
export function lazyWithPreload<Props extends object>(
  fetchIt: () => Promise<ComponentType<Props>>,
  waiting: ReactNode | ((props: Props) => ReactNode) = null,
): LazyWithPreload<Props> {
  let found: ComponentType<Props> | undefined;
  const load = async () => {
    found ??= await fetchIt();
  };
  function Shown(props: Props) {
    const [state, setState] = useState<{ error?: unknown }>({});
    const Component = found;
    const isMissing = Component === undefined;
    useEffect(() => {
      if (!isMissing) return;
      load().then(
        () => setState({}),
        (error: unknown) => setState({ error }),
      );
    }, [isMissing]);
    if (Component) return <Component {...props} />;
    if (state.error !== undefined) throw state.error;
    return typeof waiting === 'function' ? waiting(props) : waiting;
  }
  return Object.assign(Shown, { load });
}
