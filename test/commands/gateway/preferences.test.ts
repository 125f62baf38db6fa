import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {openPreferences, readPreferences} from '../../../source/commands/gateway/preferences.ts';
import {defaultSettings} from '../../../source/tui/state/display-settings.ts';
import {tryProcessLockSync} from '../../../source/util/process-lock.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

function openIn(directory: string) {
	const path = join(directory, 'preferences.json');
	const clock = createFakeClock();
	const failures: string[] = [];
	const preferences = openPreferences({path, clock, onFailure: text => void failures.push(text)});
	return {path, clock, failures, preferences};
}

test('what is chosen is read back, from a file that this user alone may read', async () => {
	const {path, failures, preferences} = openIn(join(temporaryDirectory(), 'state'));
	const sort = {routes: {by: 'rate', direction: 'reversed'}, events: {by: 'own', direction: 'reversed'}} as const;
	preferences.save({...defaultSettings, theme: 'light', view: 'log', sort});
	await preferences.close();
	expect(readPreferences(path)).toEqual({...defaultSettings, theme: 'light', view: 'log', sort});
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
	expect(failures).toEqual([]);
});

test('is written a second after the last change, not at the change', async () => {
	const {path, clock, preferences} = openIn(temporaryDirectory());
	preferences.save({...defaultSettings, theme: 'light', view: 'overview', sort: {}});
	await clock.advance(900);
	preferences.save({...defaultSettings, theme: 'mono', view: 'overview', sort: {}});
	await clock.advance(900);
	expect(existsSync(path)).toBe(false);
	await clock.advance(100);
	await expect.poll(() => readPreferences(path).theme).toBe('mono');
	expect(clock.open()).toBe(0);
});

test('nothing is written where nothing was chosen', async () => {
	const {path, preferences} = openIn(temporaryDirectory());
	await preferences.close();
	expect(existsSync(path)).toBe(false);
});

test.each([
	['no file', undefined, {sort: {}}],
	['half a file', '{"theme": "li', {sort: {}}],
	['a list', '["light"]', {sort: {}}],
	['an unknown theme', '{"theme": "pink", "view": "runs"}', {view: 'runs', sort: {}}],
	[
		'settings of another version',
		'{"theme": "auto", "notify": "mail", "mouse": "pick"}',
		{theme: 'auto', mouse: 'pick', sort: {}},
	],
	['a view without a digit', '{"theme": "mono", "view": "tools"}', {theme: 'mono', sort: {}}],
	['values of other types', '{"theme": 7, "view": {"toString": 1}, "__proto__": {"theme": "light"}}', {sort: {}}],
	['sort orders of no object', '{"sort": "name", "view": "runs"}', {view: 'runs', sort: {}}],
	[
		'orders that a list does not have',
		JSON.stringify({
			sort: {
				runs: {by: 'took', direction: 'forward'},
				log: {by: 'tokens', direction: 'forward'},
				jobs: {by: 'name', direction: 'up'},
				routes: 'name',
				rehearsal: {by: 'own', direction: 'reversed'},
				nowhere: {by: 'name', direction: 'forward'},
				events: {by: 'toString', direction: 'forward'},
			},
		}),
		{sort: {runs: {by: 'took', direction: 'forward'}}},
	],
])('%s never fails, when it is read or written', async (_, text, read) => {
	const {path, failures, preferences} = openIn(temporaryDirectory());
	if (text !== undefined) {
		writeFileSync(path, text);
	}

	expect(readPreferences(path)).toEqual(read);
	preferences.save({...defaultSettings, theme: 'contrast', view: 'jobs', sort: {}});
	await preferences.close();
	expect(failures).toEqual([]);
	expect(readPreferences(path)).toEqual({...defaultSettings, theme: 'contrast', view: 'jobs', sort: {}});
});

test('what a later version keeps beside them stays', async () => {
	const {path, preferences} = openIn(temporaryDirectory());
	writeFileSync(path, '{"theme": "dark", "sound": false}');
	preferences.save({...defaultSettings, theme: 'light', view: 'overview', sort: {}});
	await preferences.close();
	expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
		theme: 'light',
		view: 'overview',
		sort: {},
		notify: 'bell',
		mouse: 'off',
		sound: false,
	});
});

test('are written when the lock of the file is free, to what is in it by then', async () => {
	const {path, clock, preferences} = openIn(temporaryDirectory());
	const lock = tryProcessLockSync(`${path}.lock`);
	preferences.save({...defaultSettings, theme: 'light', view: 'overview', sort: {}});
	const closed = preferences.close();
	await vi.waitFor(() => expect(clock.open()).toBeGreaterThan(0));
	expect(existsSync(path)).toBe(false);
	writeFileSync(path, '{"sound": false}');
	lock?.release();
	await clock.advance(50);
	await closed;
	expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
		theme: 'light',
		view: 'overview',
		sort: {},
		notify: 'bell',
		mouse: 'off',
		sound: false,
	});
});

test('a file that cannot be read or written costs the preferences, and is reported once', async () => {
	const {path, failures, preferences} = openIn(temporaryDirectory());
	mkdirSync(path);
	expect(readPreferences(path)).toEqual({sort: {}});
	preferences.save({...defaultSettings, theme: 'light', view: 'overview', sort: {}});
	await preferences.close();
	preferences.save({...defaultSettings, theme: 'dark', view: 'overview', sort: {}});
	await preferences.close();
	expect(failures).toEqual([expect.stringMatching(/^settings, view and sort orders are not saved: .*EISDIR/u)]);
});
