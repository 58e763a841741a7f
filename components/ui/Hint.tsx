import {
  cloneElement,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type SyntheticEvent,
} from 'react';
import { createPortal } from 'react-dom';
import classes from './Hint.module.css';

const DELAY_MS = 300;
const GAP = 7;

interface Watched {
  onPointerEnter?(event: SyntheticEvent<HTMLElement>): void;
  onPointerLeave?(): void;
  onPointerDown?(): void;
  onFocus?(event: SyntheticEvent<HTMLElement>): void;
  onBlur?(): void;
}

interface Props {
  label: string;
  side?: 'top' | 'right';
  isOff?: boolean;
  children: ReactElement<Watched>;
}

/**
 * A lightweight tooltip for elements that occur on every page or hundreds of times in a list: no extra element and no
 * measuring until it is shown.
 */
export function Hint({ label, side = 'top', isOff = false, children }: Props) {
  const [over, setOver] = useState<Element>();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!over) return;
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [over]);
  const show = ({ currentTarget }: SyntheticEvent<HTMLElement>) => setOver(currentTarget);
  const hide = () => setOver(undefined);
  if (isOff) return children;
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: show,
        onPointerLeave: hide,
        onPointerDown: hide,
        onFocus: (event) => event.currentTarget.matches(':focus-visible') && show(event),
        onBlur: hide,
      })}
      {isShown && over && createPortal(<HintBubble key={label} label={label} side={side} over={over} />, document.body)}
    </>
  );
}

function HintBubble({ label, side, over }: { label: string; side: 'top' | 'right'; over: Element }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!ref.current) return;
    const target = over.getBoundingClientRect();
    const { width, height } = ref.current.getBoundingClientRect();
    const within = (value: number, most: number) => Math.max(GAP, Math.min(value, most - GAP));
    const above = target.top - height - GAP;
    const [left, top] =
      side === 'right'
        ? [target.right + GAP, target.top + (target.height - height) / 2]
        : [target.left + (target.width - width) / 2, above < GAP ? target.bottom + GAP : above];
    ref.current.style.left = `${within(left, innerWidth - width)}px`;
    ref.current.style.top = `${within(top, innerHeight - height)}px`;
  }, [side, over]);
  return (
    <div ref={ref} role="tooltip" className={classes.hint}>
      {label}
    </div>
  );
}
