import {type Snapshot} from '../state/snapshot.ts';
import {type Store} from '../state/store.ts';
import {type Clock} from '../util/clock.ts';
import {type Controller} from './input/controller.ts';
import {type SuspendTerminal, suspendDashboard} from './terminal/suspend-dashboard.ts';
import {bellSequence, copySequence, saveTitleSequence, titleSequence} from './terminal/terminal-sequences.ts';
import {type ThemeName} from './text/theme.ts';

export type DashboardEffectsOptions = {
	readonly store: Pick<Store, 'getSnapshot' | 'subscribe'>;
	readonly controller: Pick<Controller, 'getState' | 'subscribe' | 'resumed'>;
	readonly clock: Pick<Clock, 'elapsed'>;
	/** Writes past the frames; nothing of it may move the cursor. */
	readonly write: (text: string) => void;
	readonly redraw: () => void;
	/** Hands the terminal back; undefined before the first frame. */
	readonly suspendTerminal: () => SuspendTerminal | undefined;
	readonly saveTheme: (theme: ThemeName) => void;
};

/** A burst of requests rings once. */
const bellPauseMilliseconds = 20_000;

/** Does what the window requests and a frame cannot: title, bell, copies, a fresh screen, a pause in the shell. The returned function ends that. */
export function watchDashboard(options: DashboardEffectsOptions): () => void {
	const {store, controller, clock, write} = options;
	let done = controller.getState();
	let waiting = 0;
	let title = '';
	let rangAt = -bellPauseMilliseconds;

	const onChange = () => {
		const before = done;
		done = controller.getState();
		if (done.copied.count !== before.copied.count) {
			write(copySequence(done.copied.text));
		}

		if (done.theme !== before.theme) {
			options.saveTheme(done.theme);
		}

		if (done.redraws !== before.redraws) {
			options.redraw();
		}

		if (done.suspends !== before.suspends) {
			const suspendTerminal = options.suspendTerminal();
			void (suspendTerminal && suspendDashboard(suspendTerminal, controller.resumed));
		}
	};

	const onStore = () => {
		const count = waitingCount(store.getSnapshot());
		const next = titleSequence(count);
		if (next !== title) {
			title = next;
			write(next);
		}

		if (count > waiting && clock.elapsed() - rangAt >= bellPauseMilliseconds) {
			rangAt = clock.elapsed();
			write(bellSequence);
		}

		waiting = count;
	};

	write(saveTitleSequence);
	const ends = [controller.subscribe(onChange), store.subscribe(onStore)];
	return () => ends.forEach(end => end());
}

/** How much waits for a person to decide. */
function waitingCount({approvals, questions, proposals}: Snapshot): number {
	return approvals.length + questions.length + proposals.length;
}
