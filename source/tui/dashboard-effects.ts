import {type Store} from '../state/store.ts';
import {waitingCount} from '../state/waiting.ts';
import {type Clock, sleep} from '../util/clock.ts';
import {type Controller} from './input/controller.ts';
import {hasTab, type Sortings, type ViewName} from './lists/view-table.ts';
import {type HandOver} from './hand-over.ts';
import {type UiState} from './state/ui-state.ts';
import {drawUiGlyphs} from '../util/characters/ui-glyphs.ts';
import {glyphs} from '../state/entities/status-text.ts';
import {type DisplaySettings, settingNames} from './state/display-settings.ts';
import {notificationSequence, type NotificationStyle} from './terminal/notification.ts';
import {type TerminalSwitches} from './terminal/terminal-switches.ts';
import {takesMouse} from './input/mouse-actions.ts';

export type DashboardEffectsOptions = {
	readonly store: Pick<Store, 'getSnapshot' | 'subscribe'>;
	readonly controller: Pick<Controller, 'getState' | 'subscribe' | 'dispatch'>;
	readonly clock: Clock;
	/** Writes between the frames; nothing of it may move the cursor. */
	readonly write: (text: string) => void;
	readonly switches: TerminalSwitches;
	/** Notifications that the terminal shows. */
	readonly notifications: NotificationStyle;
	readonly redraw: () => void;
	/** True while another program has the terminal: only the bell rings. */
	readonly isLent: () => boolean;
	readonly handOver: HandOver;
	readonly savePreferences: (preferences: DashboardPreferences) => void;
	/** Has the system stop this program and whatever was started with it as one job. */
	readonly stopJob: () => void;
};

/** Choices of a person, restored at the next start. */
export type DashboardPreferences = DisplaySettings & {
	/** One with a tab: the others were opened from it in passing. */
	readonly view: ViewName;
	readonly sort: Sortings;
};

/** A burst of requests rings once. */
const bellPauseMilliseconds = 20_000;

/** Does what the dashboard asks for and a frame cannot do: title, notifications, modes of the terminal, clipboard, redraw, suspend. The returned function ends that. */
export function watchDashboard(options: DashboardEffectsOptions): () => void {
	const {store, controller, write, switches, handOver} = options;
	let done = controller.getState();
	let waiting = 0;
	/** Empty while another program may have its own. */
	let title = '';
	const notify = createNotifier(options);
	const setSwitches = () => switches.set(wantedSwitches(done, waiting));
	const onChange = () => {
		const before = done;
		done = controller.getState();
		if (done.copied.count !== before.copied.count) {
			write(copySequence(done.copied.text));
		}

		const preferences = preferencesOf(done);
		const {view, sort} = preferencesOf(before);
		const isSet = settingNames.some(name => done[name] !== before[name]);
		if (isSet || preferences.view !== view || preferences.sort !== sort) {
			options.savePreferences(preferences);
		}

		if (done.redraws !== before.redraws) {
			options.redraw();
		}

		if (done.suspends !== before.suspends) {
			void suspend(options);
		}

		setSwitches();
	};

	const onStore = () => {
		const count = waitingCount(store.getSnapshot());
		const next = options.isLent() ? '' : titleSequence(count);
		if (next !== title) {
			title = next;
			write(next);
		}

		if (count > waiting) {
			notify(count);
		}

		waiting = count;
		setSwitches();
	};

	write(saveTitleSequence);
	setSwitches();
	const ends = [controller.subscribe(onChange), store.subscribe(onStore), watchContinued(handOver)];
	return () => ends.forEach(end => end());
}

function preferencesOf({theme, notify, mouse, view, home, sort}: UiState): DashboardPreferences {
	return {theme, notify, mouse, view: hasTab(view) ? view : home, sort};
}

/** Each is off where the terminal does not answer: without a background nothing follows it, and without a reply the mouse is off. */
function wantedSwitches(ui: UiState, waiting: number): Parameters<TerminalSwitches['set']>[0] {
	return {
		focus: true,
		mouse: ui.terminal === 'answering' && takesMouse(ui),
		colors: ui.theme === 'auto' && ui.background !== 'unknown',
		progress: ui.notify === 'osc' && waiting > 0,
	};
}

/** Says that more is waiting, once per burst: with a bell, or by a notification while the keyboard is elsewhere, if the terminal tells that. */
function createNotifier({
	controller,
	clock,
	write,
	notifications,
	isLent,
}: Pick<DashboardEffectsOptions, 'controller' | 'clock' | 'write' | 'notifications' | 'isLent'>): (
	waiting: number,
) => void {
	let notifiedAt = -bellPauseMilliseconds;
	return waiting => {
		const {notify, focus} = controller.getState();
		// While another program has the terminal, its focus is not known.
		const style = isLent() && notify === 'osc' ? 'bell' : notify;
		const isSilent = style === 'off' || (style === 'osc' && focus === 'in');
		if (isSilent || clock.elapsed() - notifiedAt < bellPauseMilliseconds) {
			return;
		}

		notifiedAt = clock.elapsed();
		write(style === 'osc' && focus === 'out' ? notificationSequence(waiting, notifications) : bellSequence);
	};
}

/** Hands the terminal to the shell, and says so where that could not be. */
async function suspend(options: DashboardEffectsOptions): Promise<void> {
	if ((await options.handOver(() => stopped(options))) === 'running') {
		options.controller.dispatch({type: 'not-suspended'});
	}
}

/**
Puts the program to sleep as Ctrl+Z does elsewhere: the whole process group stops, and `fg` wakes both. Everything stops, the gateway too, so the
caller has asked first. Where the system ignores the signal, the dashboard comes back at once and says so.
*/
async function stopped({clock, stopJob}: Pick<DashboardEffectsOptions, 'clock' | 'stopJob'>): Promise<PauseEnd> {
	const {promise: continued, resolve} = Promise.withResolvers<PauseEnd>();
	const onContinued = () => resolve('continued');
	process.once('SIGCONT', onContinued);
	stopJob();
	const end = await Promise.race([continued, stillRunning(clock)]);
	process.off('SIGCONT', onContinued);
	return end;
}

/** The end of a pause: the program went on after it was stopped, or was never stopped. */
type PauseEnd = 'continued' | 'running';

/** A program that others stopped and continued takes the terminal again: a shell may have changed its modes and its screen meanwhile. */
function watchContinued(handOver: HandOver): () => void {
	const onContinued = () => void handOver(async () => 'continued');
	process.on('SIGCONT', onContinued);
	return () => void process.off('SIGCONT', onContinued);
}

const stopMilliseconds = 200;
const continuedMilliseconds = 20;

/** Resolves when the program has not been stopped. After a stop, the first timer may be over before the signal that ended it is heard. */
async function stillRunning(clock: Clock): Promise<'running'> {
	await sleep(clock, stopMilliseconds);
	await sleep(clock, continuedMilliseconds);
	return 'running';
}

/** Makes the terminal remember its title; `restoreScreen` gives it back. */
const saveTitleSequence = '\u001B[22;2t';

/** A sound, or a mark on the terminal's tab, as the terminal is set. */
const bellSequence = '\u0007';

/** The title of the terminal: how much waits, and the name of the program. */
export function titleSequence(waiting: number): string {
	return `\u001B]2;${waiting > 0 ? `${drawUiGlyphs(glyphs.approval, 'unicode')}${waiting} ` : ''}sluice\u0007`;
}

/** Puts a text into the clipboard of the person's own machine, also through SSH (OSC 52). The text goes encoded: nothing in it can act. */
function copySequence(text: string): string {
	return `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;
}
