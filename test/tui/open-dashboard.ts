import {expect, onTestFinished} from 'vitest';
import {type Command, type ReadWhole} from '../../source/state/command.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
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
	/** Whether the terminal answers from the start. */
	readonly answering?: boolean;
	readonly savePreferences?: (preferences: DashboardPreferences) => void;
	readonly readWhole?: ReadWhole;
	readonly jobControl?: JobControl;
};

/** Opens the real dashboard on a terminal that a test can read, with a clock that a test moves. */
export async function openDashboard(options: OpenOptions = {}) {
	const {columns = 80, rows = 24} = options;
	const clock = createFakeClock(sampleTime);
	const terminal = openFakeTerminal(columns, rows);
	terminal.answer(options.answering ?? true);
	const store = createStore({clock, isBlocked: terminal.output.isBlocked});
	const sent: Command[] = [];
	const ends: DashboardEnd[] = [];
	const silences: string[] = [];
	let seq = 0;
	const dashboard = mountDashboard({
		store,
		send: command => void sent.push(command),
		...(options.readWhole && {readWhole: options.readWhole}),
		clock,
		jobControl: () => options.jobControl ?? 'shell',
		stdin: terminal.stdin,
		output: terminal.output,
		settings: {noColor: true, ascii: false, readOnly: false, ...options.settings},
		version: '0.1.0',
		guarded: [],
		savePreferences: options.savePreferences,
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

	const shows = (text: string) => expect.poll(terminal.text, {interval: 10, timeout: 25_000}).toContain(text);
	const hides = (text: string) => expect.poll(terminal.text, {interval: 10, timeout: 25_000}).not.toContain(text);
	/** One key after a pause that is long enough for every rule. */
	const press = async (chunk: string) => {
		await clock.advance(1000);
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
	Whether the terminal answers behind a key, which it does not behind one that changed nothing. A frame is drawn in this process within a 60th of
	a second, which is less than each of these rounds: the event loop that was slow to draw was as slow to count them.
	*/
	const isAnswered = async (before: number) => {
		for (let round = 0; round < 10 && terminal.answers() === before; round++) {
			await new Promise(resolve => setTimeout(resolve, 25));
			await clock.settle();
			await terminal.text();
		}

		return terminal.answers() > before;
	};

	/** Turns the pages of a text to its end, each seen before the next. */
	const turnToEnd = async (key = '\u001B[6~') => {
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
	return {clock, terminal, store, sent, ends, silences, dashboard, dispatch, shows, hides, press, ready, turnToEnd};
}
