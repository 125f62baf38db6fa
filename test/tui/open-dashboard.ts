import {expect, onTestFinished} from 'vitest';
import {type CallGateway, type MethodName, type ResultOf} from '../../source/state/api.ts';
import {type ReadFull} from '../../source/state/gateway-call.ts';
import {isRequestMethod, requestVersion} from '../../source/state/request-version.ts';
import {Problem} from '../../source/util/problem.ts';
import {type ProblemCode} from '../../source/util/problem-codes.ts';
import {type LocalPrograms} from '../../source/tui/state/local-programs.ts';
import {type LocalAct} from '../../source/tui/state/ui-state.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type Snapshot} from '../../source/state/snapshot.ts';
import {createStore} from '../../source/state/store.ts';
import {type DashboardPreferences} from '../../source/tui/dashboard-effects.ts';
import {type DashboardEnd, type DashboardSettings, mountDashboard} from '../../source/tui/mount.tsx';
import {type JobControl} from '../../source/tui/terminal/job-control.ts';
import {escapeMilliseconds} from '../../source/tui/terminal/terminal-input.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openFakeTerminal} from './fake-terminal.ts';
import {sampleTime, stamp} from './sample-events.ts';

export type OpenOptions = {
	readonly columns?: number;
	readonly rows?: number;
	readonly settings?: Partial<DashboardSettings>;
	readonly events?: readonly GatewayEventBody[];
	/** A terminal that answers from the start, or one that does not. */
	readonly answering?: boolean;
	readonly savePreferences?: (preferences: DashboardPreferences) => void;
	readonly readFull?: ReadFull;
	readonly jobControl?: JobControl;
	readonly programs?: LocalPrograms;
};

/** A call of the dashboard, as a gateway gets it. */
export type SentCall = {readonly method: MethodName; readonly params: object; readonly profile?: string | undefined};

type Pending = {
	readonly method: MethodName;
	readonly resolve: (result: unknown) => void;
	readonly reject: (problem: Problem) => void;
};

/** A gateway whose results a test gives. What is sent to it is listed without versions of requests, where they are those of the requests on the screen. */
function openFakeGateway(getSnapshot: () => Snapshot, readFull: ReadFull = async () => undefined) {
	const sent: Array<SentCall | LocalAct | {readonly aborted: MethodName}> = [];
	const older: SentCall[] = [];
	const versions: string[] = [];
	/** The parameters of the notes that a key was pressed: nothing else tells what a person does. */
	const keyNotes: object[] = [];
	const pending: Pending[] = [];
	const withoutShownVersion = (method: MethodName, params: object) => {
		if (!isRequestMethod(method)) {
			return params;
		}

		const {request_version: version = 'missing', ...rest} = params as {id: string; request_version?: string};
		versions.push(version);
		const shown = requestVersion(method, rest.id, getSnapshot());
		return version === shown ? rest : {...rest, request_version: version};
	};

	const call: CallGateway = async (method, params, {profile, signal} = {}) => {
		if (method === 'approvals.view') {
			// The method does not narrow the type of its parameters.
			const query = params as unknown as Parameters<ReadFull>[0];
			return (await readFull({...query, profile: profile ?? ''})) ?? null;
		}

		if (method === 'console.key') {
			keyNotes.push(params);
			return {};
		}

		// A list that does not fill the screen asks for older rows by itself.
		const asked = method === 'events.older' ? older : sent;
		asked.push({method, params: withoutShownVersion(method, params), profile});
		if (method === 'rules.rehearse') {
			signal?.addEventListener('abort', () => sent.push({aborted: method}));
		}

		const {promise, resolve, reject} = Promise.withResolvers<never>();
		// A test gives the result of the method that it names.
		pending.push({method, resolve: result => resolve(result as never), reject});
		return promise;
	};

	const take = (method: MethodName) => {
		const index = pending.findIndex(one => one.method === method);
		const [first] = index === -1 ? [] : pending.splice(index, 1);
		return first ?? expect.fail(`${method} was not called`);
	};

	return {sent, older, versions, keyNotes, call, take};
}

/** Opens the real dashboard on a terminal that a test can read, with a clock that a test moves. */
export async function openDashboard(options: OpenOptions = {}) {
	const {columns = 80, rows = 24} = options;
	const clock = createFakeClock(sampleTime);
	const terminal = openFakeTerminal(columns, rows);
	terminal.answer(options.answering ?? true);
	const store = createStore({clock, isBlocked: terminal.output.isBlocked});
	const gateway = openFakeGateway(store.getSnapshot, options.readFull);
	const {sent} = gateway;
	const ends: DashboardEnd[] = [];
	const silences: string[] = [];
	let seq = 0;
	const dashboard = mountDashboard({
		store,
		call: gateway.call,
		show: view => void dispatch(view),
		act: act => void sent.push(act),
		clock,
		jobControl: () => options.jobControl ?? 'shell',
		stdin: terminal.stdin,
		output: terminal.output,
		settings: {noColor: true, ascii: false, readOnly: false, ...options.settings},
		version: '0.1.0',
		guarded: [],
		savePreferences: options.savePreferences,
		...(options.programs && {programs: options.programs}),
		onStrayLine() {},
		onSilentTerminal: () => void silences.push('silent'),
		onExit: end => void ends.push(end),
	});
	onTestFinished(() => {
		dashboard.unmount();
		store.close();
	});

	/** Publishes what the core would publish, and lets it become visible. */
	const dispatch = async (...bodies: readonly GatewayEventBody[]) => {
		for (const event of stamp(bodies, seq + 1)) {
			store.publish(event);
		}

		seq += bodies.length;
		await clock.advance(100);
	};

	/** Ends the oldest call of a method, well or with a problem, and lets that become visible. */
	const reply = async <Name extends MethodName>(method: Name, result: ResultOf<Name>) => {
		gateway.take(method).resolve(result);
		await clock.advance(100);
	};

	const refuse = async (method: MethodName, message: string, code: ProblemCode = 'bad_usage') => {
		gateway.take(method).reject(new Problem(code, {message, level: 'warning'}));
		await clock.advance(100);
	};

	const shows = (text: string) => expect.poll(terminal.text, {interval: 10, timeout: 25_000}).toContain(text);
	const hides = (text: string) => expect.poll(terminal.text, {interval: 10, timeout: 25_000}).not.toContain(text);
	/** One key after a pause that is long enough for every rule. */
	const press = async (chunk: string) => {
		await clock.advance(1000);
		// An escape in front of an answer of the terminal would be the beginning of that.
		await (chunk.startsWith('\u001B') ? terminal.text() : undefined);
		terminal.type(chunk);
		await clock.settle();
		if (chunk.endsWith('\u001B')) {
			// It might have become a report of the terminal until now.
			await clock.advance(escapeMilliseconds.awaited);
		}
	};

	/** Lets time pass until the keys of the card on the screen act: it is drawn and the terminal has answered behind it. */
	const ready = () => {
		const text = async () => {
			await clock.advance(100);
			return terminal.text();
		};

		return expect.poll(text, {interval: 10, timeout: 25_000}).toContain(' ready');
	};

	/**
	True if the terminal answers behind a key, which it does not behind one that changed nothing. A frame is drawn in this process within a 60th of
	a second, which is less than each of these rounds: the event loop that was slow to draw was as slow to count them.
	*/
	const isAnswered = async (before: number) => {
		for (let round = 0; round < 40 && terminal.answers() === before; round++) {
			await new Promise(resolve => setTimeout(resolve, 25));
			await clock.settle();
			await terminal.text();
		}

		return terminal.answers() > before;
	};

	/** Turns the pages of a text to its end, each seen before the next. */
	const turnToEnd = async (key = '\u001B[6~') => {
		// The first page is drawn, but the terminal may not have answered behind it.
		await isAnswered(terminal.answers());
		for (let page = 0; page < 100; page++) {
			const answers = terminal.answers();
			await press(key);
			if (!(await isAnswered(answers))) {
				return;
			}

			await clock.settle();
		}
	};

	await expect.poll(terminal.text, {interval: 10, timeout: 25_000}).toMatch(/sluice|starting|needs/u);
	await clock.advance(400);
	const mode = options.settings?.readOnly ? 'read-only' : 'deciding';
	await dispatch({type: 'view.console', state: 'own', number: 1, mode}, ...(options.events ?? []));
	const {older, versions} = gateway;
	return {
		clock,
		terminal,
		store,
		sent,
		older,
		versions,
		reply,
		refuse,
		ends,
		silences,
		dashboard,
		dispatch,
		shows,
		hides,
		press,
		ready,
		turnToEnd,
	};
}
