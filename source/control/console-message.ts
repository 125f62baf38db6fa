import {z} from 'zod';
import {type ConsoleMessage} from '../state/console-message.ts';
import {type GatewayEvent, isEventType} from '../state/event.ts';
import {emptySnapshot, type Snapshot} from '../state/snapshot.ts';
import {isRecord} from './method-description.ts';

/** Shallow check only: the sender is the same user at the same protocol version. */
export const consoleMessageJson: z.ZodType<ConsoleMessage> = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('opened'), number: z.int(), pid: z.int()}),
	z.object({kind: z.literal('snapshot'), snapshot: z.custom<Snapshot>(isSnapshot)}),
	z.object({kind: z.literal('events'), events: z.custom<readonly GatewayEvent[]>(areEvents)}),
	z.object({kind: z.literal('check')}),
]);

/** True when every member has the kind of its counterpart in an empty one: a list of objects, an object, or an object that may be absent. */
function isSnapshot(value: unknown): boolean {
	return (
		isRecord(value) &&
		Object.entries(emptySnapshot).every(([name, empty]: [string, unknown]) => {
			const member = Object.hasOwn(value, name) ? value[name] : undefined;
			if (Array.isArray(empty)) {
				return Array.isArray(member) && member.every(isRecord);
			}

			return isRecord(member) || (empty === undefined && member === undefined);
		})
	);
}

function areEvents(value: unknown): boolean {
	return Array.isArray(value) && value.every(isEvent);
}

/** Checked by hand: a thousand a second may come. */
function isEvent(value: unknown): boolean {
	return (
		isRecord(value) &&
		typeof value['type'] === 'string' &&
		isEventType(value['type']) &&
		Number.isFinite(value['seq']) &&
		Number.isFinite(value['time']) &&
		typeof value['profile'] === 'string'
	);
}
