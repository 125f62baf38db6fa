import {createInMemoryCall} from '../control/in-memory-client.ts';
import {methods} from '../control/methods.ts';
import {answeredWords, findAnswered} from '../state/answered.ts';
import {type CallGateway, type MethodName, type ParamsOf} from '../state/api.ts';
import {type OpenConsole} from '../state/console.ts';
import {consoleName} from '../state/console-state.ts';
import {type LiveSnapshot} from '../state/gathered-snapshot.ts';
import {isRequestMethod, requestVersion} from '../state/request-version.ts';
import {type Snapshot} from '../state/snapshot.ts';
import {shownId} from '../util/id-part.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {redactTexts} from '../util/redact-texts.ts';
import {safeText} from '../util/safe-text.ts';
import {type Caller} from './api/handler-context.ts';
import {type HandlersOf} from './api/handlers.ts';
import {type Profiles} from './services/profiles.ts';

type ConsoleCaller = Extract<Caller, {readonly kind: 'console'}>;

/**
Builds what opens consoles: they are numbered, a read-only one changes nothing, and a call that decides about a request is refused when the request is
not the one that console has shown. The first answer wins (docs/approvals.md, How approvals end).
*/
export function createConsoles(options: {
	readonly live: Pick<LiveSnapshot, 'current'>;
	readonly profiles: Pick<Profiles, 'first' | 'find' | 'addConsole'>;
	readonly handlersOf: HandlersOf;
	/** Called when a person presses a key at a console that decides. */
	readonly onKey: () => void;
}): OpenConsole {
	const {profiles} = options;
	const {publish} = profiles.first.context;
	let opened = 0;
	return ({mode, browser = 'gateway', profile}) => {
		const {name: ownProfile} = profiles.find(profile);
		opened++;
		const number = opened;
		const name = consoleName(number);
		const attend = () => (mode === 'deciding' ? profiles.addConsole(browser) : () => undefined);
		let leave: (() => void) | undefined = attend();
		const leaving = new AbortController();
		return {
			number,
			call: createCall({
				...options,
				mode,
				profile: ownProfile,
				caller: {kind: 'console', name, browser},
				leaving: leaving.signal,
			}),
			setPresence(presence) {
				if (leaving.signal.aborted) {
					return;
				}

				if (presence === 'present') {
					leave ??= attend();
				} else if (leave) {
					leave();
					leave = undefined;
					const text = `${name} has not read for a while, so it counts as absent until it does`;
					publish({type: 'log', level: 'warning', area: 'console', text});
				}
			},
			close() {
				if (!leaving.signal.aborted) {
					leaving.abort(new Problem('cancelled', {message: 'The window was closed'}));
					leave?.();
				}
			},
		};
	};
}

type CallContext = Parameters<typeof createConsoles>[0] & {
	readonly mode: Parameters<OpenConsole>[0]['mode'];
	readonly caller: ConsoleCaller;
	readonly profile: string;
	/** Aborts when the console is closed. */
	readonly leaving: AbortSignal;
};

/** The calls of one console. A refusal is also logged: others see that a key had no effect. */
function createCall(context: CallContext): CallGateway {
	const {profiles, handlersOf, caller, leaving, mode, onKey} = context;
	const {publish, redactor} = profiles.first.context;
	const call = createInMemoryCall({
		handlersOf: (method, _, profile = context.profile) => handlersOf(profile, caller, method),
		signal: leaving,
	});
	return async (method, params, {signal = leaving, onNote, profile} = {}) => {
		const ending = AbortSignal.any([leaving, signal]);
		try {
			ending.throwIfAborted();
			if (method === 'console.key') {
				if (mode === 'deciding') {
					onKey();
				}

				return {};
			}

			assertAllowed(method, params, context);
			const result = await call(method, params, {
				signal: ending,
				onNote: note => onNote?.(redactTexts(note, redactor.redact)),
				profile,
			});
			// Its person has asked to see all of a request, secrets too.
			return method === 'approvals.view' ? result : redactTexts(result, redactor.redact);
		} catch (caught) {
			const {code, message, detail, level, remedy} = toProblem(caught);
			const text = redactor.redact(safeText(detail ? `${message} (${detail})` : message));
			if (!ending.aborted) {
				publish({type: 'log', level, area: 'commands', text});
			}

			throw new Problem(code, {message: text, level, remedy});
		}
	};
}

/** Throws why a console may not do this. Its dashboard offers nothing else; this check is the one that counts. */
function assertAllowed<Name extends MethodName>(
	method: Name,
	params: ParamsOf<Name>,
	{mode, caller: {name}, live}: Pick<CallContext, 'mode' | 'caller' | 'live'>,
): void {
	const refuse = (message: string) => new Problem('bad_usage', {message, level: 'warning'});
	if (mode === 'read-only' && methods[method].needs !== 'read') {
		throw refuse(`${name} is read-only: it was opened with --read-only`);
	}

	if (isRequestMethod(method)) {
		// Every such method has these two.
		const {id, request_version: seen} = params as {readonly id: string; readonly request_version?: string};
		if (seen !== requestVersion(method, id, live.current())) {
			throw refuse(`${name} ${refusalWords(id, live.current())}; nothing was done`);
		}
	}
}

/** The reason to refuse a decision: its request ended before, with the person who decided, or has changed. */
function refusalWords(id: string, snapshot: Snapshot): string {
	const answered = findAnswered(snapshot, id);
	if (answered) {
		const what = answered.type === 'question.settled' ? 'question' : 'call';
		return `was too late: the ${what} ${shownId(id)} was already ${answeredWords(answered)}`;
	}

	const decision = snapshot.decisions.findLast(row => row.id === id);
	return decision?.by === undefined
		? 'answered a request that has changed since it was shown'
		: `was too late: the request ${shownId(id)} was already ${decision.outcome} by ${decision.by}`;
}
