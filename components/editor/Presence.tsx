import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
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
  /** The same subscription tells of calls of the workflow's webhooks. */
  onWebhookCalled?(): void;
}

/** The other people who have the workflow open, each person once. */
export function Presence({ workflowId, onWebhookCalled }: Props) {
  const { me } = useMe();
  const [isBegun, setBegun] = useState(false);
  const [people, setPeople] = useState(NO_ONE_ELSE);
  useIdle(() => setBegun(true));
  const isConnected = useChannel(isBegun ? { channel: 'presence', workflowId } : undefined, (message) => {
    if (message.type === 'presence' && message.workflowId === workflowId) setPeople(message.people);
    if (message.type === 'webhook_called' && message.workflowId === workflowId) onWebhookCalled?.();
  });
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
