import {readFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {sortDirections} from '../../tui/lists/sorting.ts';
import {allViews, hasTab, type Sortings, views} from '../../tui/lists/view-table.ts';
import {type DashboardPreferences} from '../../tui/dashboard-effects.ts';
import {settingsIn} from '../../tui/state/display-settings.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {isJsonObject, ownMember, parseJson} from '../../util/json-text.ts';
import {ownProgram} from '../../util/own-program.ts';
import {errorText} from '../../util/problem.ts';

/** Choices that a person last made in the dashboard. */
export type Preferences = {
	/** Keeps the choices; they are written a moment after the last change. */
	readonly save: (preferences: DashboardPreferences) => void;
	/** Writes what was not written yet. */
	readonly close: () => Promise<void>;
};

/** Going through the views or themes by one key writes once, when it is over. */
const settleMilliseconds = 1000;

/**
Settings, view and sort orders of the last dashboard (docs/configuration.md, State directory). Whatever is missing or unknown is left out: a broken file costs the preferences, never the start.
The first frame waits for this, and loading conf takes longer than all the rest of what it needs (about 50 ms, most of it for a schema validator): so the file is read plainly. conf can only write while its thread waits for the disk, and does so in one of its own.
*/
export function readPreferences(path: string): Partial<DashboardPreferences> {
	const stored = parseJson(textOf(path));
	const member = (name: string) => (isJsonObject(stored) ? ownMember(stored, name) : undefined);
	const view = allViews.find(name => hasTab(name) && name === member('view'));
	return {
		...settingsIn(member),
		...(view && {view}),
		sort: readSortings(member('sort')),
	};
}

/** The sort orders of lists; an order that the list of this version lacks is left out. */
function readSortings(stored: unknown): Sortings {
	const orders = allViews.flatMap(view => {
		const order = isJsonObject(stored) ? ownMember(stored, view) : undefined;
		const member = (name: string) => (isJsonObject(order) ? ownMember(order, name) : undefined);
		const {sorts = []} = views[view];
		const by = sorts.length === 0 ? undefined : (['own', ...sorts] as const).find(name => name === member('by'));
		const direction = sortDirections.find(name => name === member('direction'));
		return by && direction ? [[view, {by, direction}] as const] : [];
	});
	return Object.fromEntries(orders);
}

function textOf(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}

/** The data that `preferences-thread.ts` starts with. */
export type PreferencesWork = {readonly path: string; readonly preferences: DashboardPreferences};

/** Opens the file for writing; it is made at the first change. A failure is reported once, in words. */
export function openPreferences(options: {
	readonly path: string;
	readonly clock: Clock;
	readonly onFailure: (text: string) => void;
}): Preferences {
	const {path, clock} = options;
	let unsaved: DashboardPreferences | undefined;
	let timer: Timer | undefined;
	let written = Promise.resolve();
	let report: typeof options.onFailure | undefined = options.onFailure;
	const write = async () => {
		if (!unsaved) {
			return;
		}

		const preferences = unsaved;
		unsaved = undefined;
		try {
			await writePreferences(path, clock, preferences);
		} catch (error) {
			report?.(`settings, view and sort orders are not saved: ${errorText(error)}`);
			report = undefined;
		}
	};

	const flush = () => void (written = written.then(write));
	return {
		save(preferences) {
			unsaved = preferences;
			timer?.cancel();
			timer = clock.after(settleMilliseconds, flush);
		},
		close() {
			timer?.cancel();
			flush();
			return written;
		},
	};
}

async function writePreferences(path: string, clock: Clock, preferences: DashboardPreferences): Promise<void> {
	const [{makePrivateFolder}, {lockPathOf, withFileLock}] = await Promise.all([
		import('../../util/make-private-folder.ts'),
		import('../../config/values/file-lock.ts'),
	]);
	await makePrivateFolder(dirname(path));
	await withFileLock(lockPathOf(path), {clock}, () => writeInThread({path, preferences}));
}

/** Resolves once a thread has written the preferences; rejects with why it could not. */
function writeInThread(work: PreferencesWork): Promise<void> {
	const thread = new Worker(ownProgram('preferences-thread', import.meta.url), {workerData: work});
	return new Promise((resolve, reject) => {
		thread.once('error', reject);
		thread.once('exit', () => resolve());
	});
}
