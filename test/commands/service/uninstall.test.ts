import {existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {findRemovableState} from '../../../source/commands/service/state-removal.ts';
import {acquireLock, findProcess} from '../../../source/control/lock.ts';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {sampleRun} from '../../helpers/journal-records.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {typeSluice} from '../../helpers/sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {fakeManagers, openService, writeUnit} from './fake-managers.ts';

const uid = process.getuid?.() ?? 0;

/** A state directory below a folder that stays, and the command on it. */
function openState(
	content: Readonly<Record<string, string>> = {'config.yaml': '', 'approval-rules.json': '{"rules": []}'},
) {
	const managers = fakeManagers();
	const env = {...managers.env, HOME: temporaryDirectory()};
	const home = join(temporaryDirectory(), 'state');
	mkdirSync(home);
	for (const [name, text] of Object.entries(content)) {
		writeFileSync(join(home, name), text);
	}

	const uninstall = (...words: readonly string[]) => runSluice({home, env}, 'uninstall', ...words);
	return {...managers, env, home, uninstall};
}

/** Writes a journal with a queued run, an inbox item and an uncertain call. */
async function writeWork(home: string): Promise<void> {
	const limits = () => ({maxAgeDays: 30, maxBytes: 1_000_000_000});
	const journal = openJournal({path: join(home, 'journal.db'), clock: systemClock, limits});
	await journal.queueRun(sampleRun({id: 'queued'}));
	await journal.queueRun(sampleRun({id: 'inbox'}));
	await journal.moveQueuedRuns(['inbox'], {state: 'inbox'});
	await journal.startCall({
		id: 'call',
		time: Date.now() - 60_000,
		profile: 'default',
		server: 'files',
		tool: 'write_file',
		arguments: {},
		origin: {kind: 'command-line'},
		judged: {fingerprint: 'f', decision: 'allowed'},
	});
	await journal.close();
}

describe('sluice uninstall', () => {
	test('stops and removes its service, and keeps the state directory', async () => {
		const {service, home, env, path, pid} = openService();
		await service('install', '--yes');
		const running = pid();
		expect(await runSluice({home, env}, 'uninstall')).toMatchObject({code: 2});
		expect(existsSync(path)).toBe(true);
		const {code, stdout} = await runSluice({home, env}, 'uninstall', '--yes', '--json');
		expect([code, JSON.parse(stdout)]).toEqual([
			0,
			{
				service: {name: 'sluice.service', path},
				state_directory: home,
				purged: false,
				work: null,
				package: null,
			},
		]);
		expect([existsSync(path), await findProcess(running)]).toEqual([false, undefined]);
		expect(existsSync(join(home, 'journal.db'))).toBe(true);
		expect(await runSluice({home, env}, 'uninstall')).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(
				/^No service is installed\.\n.* is kept; `sluice .*uninstall --purge` deletes it\.\n/u,
			),
		});
	});

	test('keeps a service that somebody else wrote', async () => {
		const {home, env, path, changes} = openService();
		writeUnit(path, '[Service]\n');
		expect(await runSluice({home, env}, 'uninstall', '--yes', '--purge')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('was not written by `sluice service install`'),
		});
		expect([existsSync(path), changes()]).toEqual([true, []]);
	});

	test('refuses while a gateway that is not its service runs', async () => {
		const {env} = fakeManagers();
		const running = await runGateway('{"gateway": {"endpoint": {"port": 0}}}', temporaryDirectory());
		const {root: home} = running.paths;
		expect(await runSluice({home, env}, 'uninstall', '--purge', '--yes')).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/A gateway \(process \d+\) runs on [\s\S]*Stop it with `sluice .*stop`/u),
		});
		expect(existsSync(join(home, 'journal.db'))).toBe(true);
	});

	test('--purge says what is unfinished, and deletes after --yes alone', async () => {
		const {home, uninstall} = openState();
		await writeWork(home);
		expect(await uninstall('--purge')).toEqual({
			code: 2,
			stdout: '',
			stderr: expect.stringMatching(/^The journal has 1 queued, 1 waiting and 1 uncertain\.\n[\s\S]*needs --yes/u),
		});
		expect(existsSync(join(home, 'journal.db'))).toBe(true);
		const {code, stdout} = await uninstall('--purge', '--yes', '--json');
		expect([code, JSON.parse(stdout)]).toMatchObject([
			0,
			{service: null, purged: true, work: {queued: 1, waiting: 1, uncertain: 1}},
		]);
		expect(existsSync(home)).toBe(false);
	});

	test('--purge asks at a terminal, and keeps everything after no', async () => {
		const {home, env} = openState();
		const terminal = typeSluice({home, env}, 'uninstall', '--purge');
		await terminal.waitFor('everything in it, with secrets, scripts and journal?');
		terminal.press('\r');
		expect(await terminal.exit).toBe(1);
		expect(readdirSync(home)).toContain('config.yaml');
	});

	test('--purge deletes a journal that cannot be read, and says that its work is not known', async () => {
		const {home, uninstall} = openState({'config.yaml': '', 'journal.db': 'no database'.repeat(500)});
		expect(await uninstall('--purge', '--yes')).toMatchObject({
			code: 0,
			stderr: expect.stringContaining('The unfinished work could not be read'),
		});
		expect(existsSync(home)).toBe(false);
	});

	test('--purge keeps a directory where another profile has a gateway', async () => {
		const {home, uninstall} = openState();
		const lock = await acquireLock(statePaths({root: home, profile: 'work'}).lock);
		onTestFinished(lock.release);
		expect(await uninstall('--purge', '--yes')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('runs on the profile work'),
		});
		expect(existsSync(join(home, 'config.yaml'))).toBe(true);
		await lock.release();
		expect(await uninstall('--purge', '--yes')).toMatchObject({code: 0});
		expect(existsSync(home)).toBe(false);
	});
});

describe('the state directory', () => {
	const removable = (directory: string, home = '/home/nobody') =>
		findRemovableState(statePaths({root: directory, profile: 'default'}), {home, uid});

	test('is removable with its files alone, and with copies of them', async () => {
		const {home} = openState({
			'config.yaml': '',
			'config.yaml.bak': '',
			'journal.db': '',
			'journal.db-wal': '',
			'.env': '',
		});
		expect(await removable(home)).toMatchObject({directory: home, profiles: [{profile: 'default'}]});
		expect(await removable(join(home, 'nowhere'))).toBeUndefined();
	});

	test.each<readonly [string, () => readonly [string, string?], string]>([
		['the root', () => ['/'], 'is or contains a home directory'],
		['a home directory', () => [openState().home, undefined], 'is or contains a home directory'],
		['a folder above a home directory', () => ['/home'], 'is or contains a home directory'],
		['a folder without files of Sluice', () => [openState({'config.yaml': ''}).home, '/x'], 'none of the files'],
		[
			'one with another file',
			() => [openState({'journal.db': '', 'notes.txt': ''}).home, '/x'],
			'has files that Sluice did not write: notes.txt',
		],
		[
			'a link to one',
			() => {
				const {home} = openState();
				symlinkSync(home, `${home}-link`);
				return [`${home}-link`, '/x'];
			},
			'is not a folder',
		],
	])('is not %s', async (_, place, reason) => {
		const [directory, home = directory === '/home' ? '/home/nobody' : directory] = place();
		await expect(removable(directory, home)).rejects.toMatchObject({
			code: 'bad_usage',
			message: expect.stringContaining(reason),
		});
	});
});
