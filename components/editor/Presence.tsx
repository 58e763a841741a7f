import { VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { WorkflowHint } from '@/contract/channel';
import { useChannel } from '@/components/client/useChannel';
import { useIdle } from '@/components/client/useIdle';
import { useMe } from '@/components/client/useMe';
import { Hint } from '@/components/ui/Hint';
import { initialsOf, namesOf, toneOf, type Other } from './people';
import classes from './Presence.module.css';

const TONES = 4;
/** Most avatars to show; the rest is a count. */
const MOST = 4;
const NO_ONE_ELSE: readonly Other[] = [];

interface Props {
  workflowId: string;
  /** The same subscription tells what has to be read again: calls of webhooks, pins. */
  onHint?(hint: WorkflowHint['type']): void;
}

/** The other people who have the workflow open, each person once. */
export function Presence({ workflowId, onHint }: Props) {
  const { me } = useMe();
  const [isBegun, setBegun] = useState(false);
  const [people, setPeople] = useState(NO_ONE_ELSE);
  useIdle(() => setBegun(true));
  const isConnected = useChannel(isBegun ? { channel: 'presence', workflowId } : undefined, (message) => {
    if (!('workflowId' in message) || message.workflowId !== workflowId) return;
    if (message.type === 'presence') setPeople(message.people);
    else onHint?.(message.type);
  });
  const wasLost = useRef(false);
  const onConnection = useEffectEvent((isUp: boolean) => {
    // What was sent in between did not arrive.
    if (isUp && wasLost.current) onHint?.('pins_changed');
    wasLost.current = !isUp;
  });
  useEffect(() => onConnection(isConnected), [isConnected]);
  const others = isConnected && me ? people.filter(({ userId }) => userId !== me.user.id) : NO_ONE_ELSE;
  const drawn = others.length > MOST ? others.slice(0, MOST - 1) : others;
  const rest = others.slice(drawn.length);
  return (
    <>
      {/* A live region must exist before its text changes, or screen readers ignore it. */}
      <VisuallyHidden role="status">{others.length > 0 && `Also viewing: ${namesOf(others)}`}</VisuallyHidden>
      {others.length > 0 && (
        <ul className={classes.people} aria-label="Also viewing">
          {drawn.map(({ userId, name }) => (
            <Hint key={userId} label={`${name} has this workflow open`}>
              <li className={classes.person} data-tone={toneOf(userId, TONES)} tabIndex={0} aria-label={name}>
                <span aria-hidden>{initialsOf(name)}</span>
              </li>
            </Hint>
          ))}
          {rest.length > 0 && (
            <Hint label={namesOf(rest)}>
              <li className={`${classes.person} ${classes.rest}`} tabIndex={0} aria-label={namesOf(rest)}>
                <span aria-hidden>+{rest.length}</span>
              </li>
            </Hint>
          )}
        </ul>
      )}
    </>
  );
}
