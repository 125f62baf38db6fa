import {toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CallGateway, type MethodName} from './api.ts';
import {errorOutcome} from './approval-event.ts';
import {type CallEnd, type CallOf, type CallResult, type GatewayCall, type ReadWhole} from './gateway-call.ts';
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

type CallMakerOptions = {
	readonly call: CallGateway;
	/** Takes pages, lists and the progress of a rehearsal, as they come. */
	readonly show: (view: ViewEvent, profile: string | undefined) => void;
	/** Takes the end of each call, after what it shows. */
	readonly ended: (end: CallEnd) => void;
};

/** Makes the calls of a console at its gateway. */
export function createCallMaker({call: callGateway, show, ended}: CallMakerOptions): CallMaker {
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
): Promise<CallResult> {
	const {method, params, profile} = call;
	const result = await callGateway(method, params, {
		...(profile !== undefined && {profile}),
		...(signal && {signal}),
		onNote(note) {
			const view = noteView(method, note);
			if (view) {
				show(view, profile);
			}
		},
	});
	// Method and result belong together, which the checker cannot follow through the table.
	const end = {kind: 'result', method, call, result} as unknown as CallResult;
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
export function createReadWhole(call: CallGateway): ReadWhole {
	return async ({id, masks, profile}) =>
		(await call('approvals.view', {id, masks}, {profile}).catch(() => null)) ?? undefined;
}

/** The progress that the notes of a method show. */
function noteView(method: MethodName, note: object): ViewEvent | undefined {
	switch (method) {
		case 'rules.rehearse':
			return note as Extract<ViewEvent, {type: 'view.rehearsal'}>;
		case 'rules.propose':
			return {...(note as Omit<Extract<ViewEvent, {type: 'view.rule-proposal'}>, 'type'>), type: 'view.rule-proposal'};
		default:
			return undefined;
	}
}

/** The page or list that the result of a call is. */
function resultView(end: CallResult): ViewEvent | undefined {
	switch (end.method) {
		case 'mcp.view':
		case 'mcp.view-calls':
		case 'mcp.view-log':
		case 'mcp.view-tools':
		case 'rules.view':
		case 'calls.view':
		case 'decisions.view':
		case 'runs.view':
		case 'traces.view':
		case 'events.view':
		case 'events.dry-run':
		case 'deliveries.view':
			return end.result;
		case 'rules.propose':
			return {type: 'view.rule-proposal', ...end.result};
		case 'mcp.call':
			return callView(end.call.requestId, end.call.params.name, end.result);
		case 'calls.repeat':
			return callView(end.call.requestId, end.result.name, end.result.call);
		default:
			return undefined;
	}
}

function callView(requestId = '', name: string, ended: CallJson): ViewEvent {
	const text = 'error' in ended ? ended.error.message : ended.result;
	const outcome = 'error' in ended ? errorOutcome(ended.error.code, ended.error.outcome_uncertain === true) : 'ok';
	return {
		type: 'view.call',
		requestId,
		name: safeText(name, {maximumCharacters: 200}),
		outcome,
		text: safeText(text, {maximumCharacters: shownResultCharacters, multiline: true}),
	};
}
