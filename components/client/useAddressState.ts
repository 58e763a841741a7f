import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent, useState } from 'react';

/** How a state stands in the address of the page, after `?`. */
export interface AddressFormat<State> {
  parse(address: URLSearchParams): State;
  /** Empty: the state that the page begins with. */
  encode(state: State): string;
}

/**
 * A state that is kept in the address, so that it can be shared and reloaded. A change replaces the address, so that “back” leaves the page
 * instead of undoing each key. A link to another address of the page, and “back” from there, set the state.
 */
export function useAddressState<State>(format: AddressFormat<State>) {
  const address = useSearchParams();
  const [state, setState] = useState(() => format.parse(new URLSearchParams(address)));
  const readAddress = useEffectEvent((text: string) => {
    // The parameters arrive later than the keys of a person who types: what counts is the address as it is now.
    const isCurrent = new URLSearchParams(window.location.search).toString() === text;
    if (isCurrent && text !== format.encode(state)) setState(format.parse(new URLSearchParams(text)));
  });
  useEffect(() => readAddress(address.toString()), [address]);
  const change = (next: State) => {
    setState(next);
    const text = format.encode(next);
    window.history.replaceState(null, '', text === '' ? window.location.pathname : `?${text}`);
  };
  return [state, change] as const;
}
