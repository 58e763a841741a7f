import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

export type Later<Props> = ((props: Props) => ReactNode) & {
  /** Fetches the code, so that the component opens at once when its time comes. */
  load(): Promise<unknown>;
};

/**
 * A component whose code is fetched when it is first shown, or before, by `load`. Until then `waiting` stands in its
 * place. What is there already is shown without that, which lazy components of React are not.
 */
export function later<Props extends object>(
  fetchIt: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): Later<Props> {
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
    return waiting;
  }
  return Object.assign(Shown, { load });
}
