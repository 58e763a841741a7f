import { VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { WorkflowHint } from '@/contract/channel';
import { useLiveChannel } from '@/components/client/useLiveChannel';
import { useIdleCallback } from '@/components/client/useIdleCallback';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { AVATAR_TONE_COUNT, personInitials, joinPersonNames, avatarTone, type OtherViewer } from './other-viewers';
import { notePointer, setOthers } from './other-pointers';
import classes from './PresenceAvatars.module.css';

/** At most this many avatars are shown; a number stands for the others. */
const MAX_AVATARS = 4;
const EMPTY_PEOPLE: readonly OtherViewer[] = [];

interface Props {
  workflowId: string;
  /**
   * Called when data has to be read again, such as calls of webhooks or pins. The subscription for presence receives
   * these hints too.
   */
  onHint?(hint: WorkflowHint['type']): void;
}

/** The other people who have the workflow open, each person once. */
export function PresenceAvatars({ workflowId, onHint }: Props) {
  const { me } = useCurrentUser();
  const [isBegun, setBegun] = useState(false);
  const [people, setPeople] = useState(EMPTY_PEOPLE);
  useIdleCallback(() => setBegun(true));
  const isConnected = useLiveChannel(isBegun ? { channel: 'presence', workflowId } : undefined, (message) => {
    if (!('workflowId' in message) || message.workflowId !== workflowId) return;
    if (message.type === 'presence') setPeople(message.people);
    else if (message.type === 'pointer') notePointer(message);
    else onHint?.(message.type);
  });
  const wasLost = useRef(false);
  const onConnection = useEffectEvent((isUp: boolean) => {
    // Events that were sent while the connection was lost did not arrive.
    if (isUp && wasLost.current) for (const hint of ['pins_changed', 'workflow_saved'] as const) onHint?.(hint);
    wasLost.current = !isUp;
  });
  useEffect(() => onConnection(isConnected), [isConnected]);
  const ownId = me?.user.id;
  const others = useMemo(
    () => (isConnected && ownId !== undefined ? people.filter(({ userId }) => userId !== ownId) : EMPTY_PEOPLE),
    [isConnected, ownId, people],
  );
  useEffect(() => setOthers(others), [others]);
  const drawn = others.length > MAX_AVATARS ? others.slice(0, MAX_AVATARS - 1) : others;
  const rest = others.slice(drawn.length);
  return (
    <>
      {/* A live region must exist before its text changes, or screen readers ignore it. */}
      <VisuallyHidden role="status">{others.length > 0 && `Also viewing: ${joinPersonNames(others)}`}</VisuallyHidden>
      {others.length > 0 && (
        <ul className={classes.people} aria-label="Also viewing">
          {drawn.map(({ userId, name }) => (
            <LightTooltip key={userId} label={`${name} has this workflow open`}>
              <li
                className={classes.person}
                data-tone={avatarTone(userId, AVATAR_TONE_COUNT)}
                tabIndex={0}
                aria-label={name}
              >
                <span aria-hidden>{personInitials(name)}</span>
              </li>
            </LightTooltip>
          ))}
          {rest.length > 0 && (
            <LightTooltip label={joinPersonNames(rest)}>
              <li className={`${classes.person} ${classes.rest}`} tabIndex={0} aria-label={joinPersonNames(rest)}>
                <span aria-hidden>+{rest.length}</span>
              </li>
            </LightTooltip>
          )}
        </ul>
      )}
    </>
  );
}
