import {z} from 'zod';
import {type MethodName, type NoteOf, type ParamsOf, type ResultOf} from '../state/api.ts';
import {type ViewEvent} from '../state/view-event.ts';

/** Permission a method requires: to look, to act, or to allow calls (docs/approvals.md, Answer from another terminal). */
type Need = 'read' | 'act' | 'allow';

/**
The parts of a state directory that a method opens where no gateway runs. The lock is that of a gateway, so that none starts meanwhile; a port is that
of the callback of a login.
*/
export type OpenedPart = 'files' | 'journal' | 'servers' | 'port' | 'lock';

/** A method as both ends of the control socket see it. */
export type MethodDescription<Name extends MethodName> = {
	readonly params: z.ZodType<ParamsOf<Name>>;
	readonly result: z.ZodType<ResultOf<Name>>;
	readonly needs: Need;
	/** A console alone may call it: its dashboard has shown the request, and the request has no hash that a command could send. */
	readonly caller?: 'console';
	/** Absent: the method needs a running gateway. */
	readonly opens?: readonly OpenedPart[];
	/** It waits for people, for deliveries, for a call or for the end; the others have `answerDeadlineMilliseconds`. */
	readonly deadline?: 'none';
} & ([NoteOf<Name>] extends [never] ? object : {readonly notes: z.ZodType<NoteOf<Name>>});

/** The descriptions of these methods. */
export type MethodDescriptions<Name extends MethodName = MethodName> = {
	readonly [Each in Name]: MethodDescription<Each>;
};

export const nothing = z.object({});

/** An id that a person may have typed a part of. */
export const typedId = z.object({id: z.string()});

/** The id of a row that the caller was shown. */
export const rowId = z.string().max(200);

/** The part of a page, from 1. */
export const part = z.int().min(1).optional();

/** The version of the request that a console has shown. */
export const requestVersion = z.string().max(200).optional();

/** The page of a dashboard: a gateway of the same protocol number sends it, so only its kind is checked. */
export function viewJson<Type extends ViewEvent['type']>(type: Type) {
	return z.custom<Extract<ViewEvent, {readonly type: Type}>>(value => isRecord(value) && value['type'] === type);
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
