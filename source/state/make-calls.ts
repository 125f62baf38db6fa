import {type Clock} from '../util/clock.ts';
import {exactHead, exactText} from '../util/exact-text.ts';
import {toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CallGateway, type MethodName, type NoteOf} from './api.ts';
import {errorOutcome} from './approval-event.ts';
import {
	type CallEnd,
	type CallOf,
	type CallResult,
	type GatewayCall,
	type ReadFull,
	type GatewayClient,
} from './gateway-call.ts';
import {type CallJson} from './json/call.ts';
import {type ViewEvent} from './view-event.ts';

/** As much of a result as a person reads. */
const shownResultCharacters = 100_000;

/** A person looks at one result of these methods at a time: the next call aborts the one before. */
const oneAtATime: ReadonlySet<MethodName> = new Set<MethodName>(['rules.rehearse', 'rules.propose']);

type CallMaker = {
	/** Makes a call. Never throws; its end is reported, unless it was aborted. */
	readonly make: (call: GatewayCall) => void;
	/** Aborts the call of this method that is under way. */
	readonly abort: (method: 'rules.rehearse' | 'rules.propose') => void;
};

type CallMakerOptions = Pick<GatewayClient, 'call'> & {
	/** Takes pages, lists and the progress of a rehearsal, as they come. */
	readonly show: (view: ViewEvent, profile: string | undefined) => void;
	/** Takes the end of each call, after what it shows; absent where the log is enough. */
	readonly ended?: (end: CallEnd) => void;
};

/** Makes the calls of a console at its gateway. */
export function createCallMaker({call: callGateway, show, ended = () => undefined}: CallMakerOptions): CallMaker {
	const running = new Map<MethodName, AbortController>();
	const begin = (method: MethodName): AbortSignal => {
		running.get(method)?.abort();
		const controller = new AbortController();
		running.set(method, controller);
		return controller.signal;
	};

	return {
		make(call) {
			const signal = oneAtATime.has(call.method) ? begin(call.method) : undefined;
			const unlessAborted =
				<Values extends unknown[]>(take: (...values: Values) => void) =>
				(...values: Values) => {
					if (!signal?.aborted) {
						take(...values);
					}
				};

			const parts = {call: callGateway, show: unlessAborted(show), ...(signal && {signal})};
			makeCall(call, parts).then(
				unlessAborted(ended),
				unlessAborted((caught: unknown) => ended(problemEnd(call, caught))),
			);
		},
		abort: method => running.get(method)?.abort(),
	};
}

/** Makes one call and shows its views. Rejects with the problem of the call. */
export async function makeCall<Name extends MethodName>(
	call: CallOf<Name>,
	{call: callGateway, show, signal}: Pick<CallMakerOptions, 'call' | 'show'> & {readonly signal?: AbortSignal},
): Promise<CallResult<Name>> {
	const {method, params, profile} = call;
	const result = await callGateway(method, params, {
		profile,
		...(signal && {signal}),
		onNote(note) {
			const view = noteView(method, note);
			if (view) {
				show(view, profile);
			}
		},
	});
	const end: CallResult<Name> = {kind: 'result', method, call, result};
	const view = resultView(end);
	if (view) {
		show(view, profile);
	}

	return end;
}

function problemEnd(call: GatewayCall, caught: unknown): CallEnd {
	const {code, message: reason, level} = toProblem(caught);
	return {kind: 'problem', call, code, reason, level};
}

/** Reads all of a waiting request. Never rejects. */
export function createReadFull(call: CallGateway): ReadFull {
	return async ({id, masks, profile}) =>
		(await call('approvals.view', {id, masks}, {profile}).catch(() => null)) ?? undefined;
}

type NoteViews = {readonly [Name in MethodName]?: (note: NoteOf<Name>) => ViewEvent};

/** The views that notes are. */
const noteViews: NoteViews = {
	'rules.rehearse': note => note,
	'rules.propose': note => ({type: 'view.rule-proposal', ...note}),
};

function noteView<Name extends MethodName>(method: Name, note: NoteOf<Name>): ViewEvent | undefined {
	return noteViews[method]?.(note);
}

type ResultViews = {readonly [Name in MethodName]?: (end: CallResult<Name>) => ViewEvent};

/** The pages and lists that results are. */
const resultViews: ResultViews = {
	'mcp.view': ({result}) => result,
	'mcp.view-calls': ({result}) => result,
	'mcp.view-log': ({result}) => result,
	'mcp.view-tools': ({result}) => result,
	'rules.view': ({result}) => result,
	'askers.view': ({result}) => result,
	'rules.propose': ({result}) => ({type: 'view.rule-proposal', ...result}),
	'calls.view': ({result}) => result,
	'decisions.view': ({result}) => result,
	'runs.view': ({result}) => result,
	'traces.view': ({result}) => result,
	'events.older': ({result}) => result,
	'events.view': ({result}) => result,
	'events.dry-run': ({result}) => result,
	'deliveries.view': ({result}) => result,
	'mcp.call': ({call, result}) => callView(call.requestId, call.params.name, result),
	'calls.repeat': ({call, result}) => callView(call.requestId, result.name, result.call),
};

function resultView<Name extends MethodName>(end: CallResult<Name>): ViewEvent | undefined {
	return resultViews[end.method]?.(end);
}

function callView(requestId = '', name: string, ended: CallJson): ViewEvent {
	const text = 'error' in ended ? ended.error.message : ended.result;
	const outcome = 'error' in ended ? errorOutcome(ended.error.code, ended.error.outcome_uncertain === true) : 'ok';
	return {
		type: 'view.call',
		requestId,
		name: safeText(name, {maximumCharacters: 200}),
		outcome,
		text: exactHead(text, shownResultCharacters, exactText),
	};
}

const noteMilliseconds = 5000;

/** Tells the gateway that a key was pressed: at most once in five seconds, and never which. A report that fails is not repeated. */
export function createKeyNotes(call: CallGateway, clock: Pick<Clock, 'elapsed'>): () => void {
	let notedAt = Number.NEGATIVE_INFINITY;
	return () => {
		if (clock.elapsed() - notedAt >= noteMilliseconds) {
			notedAt = clock.elapsed();
			call('console.key', {}).catch(() => undefined);
		}
	};
}
