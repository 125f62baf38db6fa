import {appendFileSync, mkdirSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readTime} from '../../../source/commands/cli/typed-time.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {startSluice, stateDirectory, typeSluice} from '../../helpers/sluice.ts';
import {garden} from '../../stories/garden.ts';

function line(text: string, time = Date.now(), profile = 'default'): string {
	return `${JSON.stringify({seq: 1, time, type: 'log', profile, level: 'info', area: 'test', text})}\n`;
}

/** A state directory with these lines in the log of its gateway. */
function withLog(lines: readonly string[]) {
	const home = stateDirectory({mcp_servers: {files: {command: 'x'}}});
	mkdirSync(join(home, 'logs', 'mcp-stderr'), {recursive: true});
	const path = join(home, 'logs', 'sluice.log');
	writeFileSync(path, lines.join(''));
	return {home, path};
}

/** The last words of the lines that were printed. */
function words(stdout: string): readonly string[] {
	return stdout
		.split('\n')
		.filter(Boolean)
		.map(text => text.split(' ').at(-1) ?? '');
}

describe('sluice logs', () => {
	test('shows what a gateway did, while it runs and after it stopped', async () => {
		const home = stateDirectory({mcp_servers: {garden}});
		const gateway = startSluice({home}, 'gateway', 'run');
		await gateway.waitForLine('garden connected');
		await expect
			.poll(async () => (await runSluice({home}, 'logs')).stdout, {timeout: 25_000})
			.toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}server {5}garden connected, \d+ tools$/mu);
		gateway.signal('SIGTERM');
		await gateway.end;
		expect((await runSluice({home}, 'logs', '-n', '1')).stdout).toMatch(/gateway {4}stopped: SIGTERM\n$/u);
		const [raw = ''] = (await runSluice({home}, 'logs', '--raw', '--lines', '1')).stdout.split('\n');
		expect(JSON.parse(raw)).toMatchObject({type: 'gateway.stopped', reason: 'SIGTERM'});
	});

	test('takes as many lines as are asked for, newest at the end, also from the file that was put aside', async () => {
		const {home, path} = withLog(['four', 'five'].map(text => line(text)));
		writeFileSync(`${path}.1`, ['one', 'two', 'three'].map(text => line(text)).join(''));
		expect(words((await runSluice({home}, 'logs', '-n', '3')).stdout)).toEqual(['three', 'four', 'five']);
		expect(words((await runSluice({home}, 'logs', '-n', '2')).stdout)).toEqual(['four', 'five']);
		expect(words((await runSluice({home}, 'logs')).stdout)).toEqual(['one', 'two', 'three', 'four', 'five']);
		expect((await runSluice({home}, 'logs', '-n', '0')).stdout).toBe('');
	});

	test('takes what is newer than a time', async () => {
		const now = Date.now();
		const {home} = withLog([line('old', now - 7_200_000), line('new', now - 60_000)]);
		expect(words((await runSluice({home}, 'logs', '--since', '1h')).stdout)).toEqual(['new']);
		expect(words((await runSluice({home}, 'logs', '--since', '1d')).stdout)).toEqual(['old', 'new']);
		const iso = new Date(now - 3_600_000).toISOString();
		expect(words((await runSluice({home}, 'logs', '--since', iso)).stdout)).toEqual(['new']);
		expect(await runSluice({home}, 'logs', '--since', 'noon')).toMatchObject({code: 2});
		expect(await runSluice({home}, 'logs', '--lines', '-1')).toMatchObject({code: 2});
	});

	test('finds the end of a large file, whose lines and characters span the pieces that are read', async () => {
		const long = 'ä'.repeat(70_000);
		const {home} = withLog([
			...Array.from({length: 5000}, (_, index) => line(`${'x'.repeat(200)} ${index}`)),
			line(`${long} long`),
			line('last'),
			'{"half of a li',
		]);
		const {stdout} = await runSluice({home}, 'logs', '--raw', '-n', '3');
		const rows = stdout.trimEnd().split('\n');
		expect(rows.map(row => String(JSON.parse(row).text).split(' ').at(-1))).toEqual(['4999', 'long', 'last']);
		expect(stdout).not.toContain('\uFFFD');
	});

	test('shows nothing that a terminal obeys, and lines of another version as they are', async () => {
		const {home} = withLog([
			line('red \u001B[31mand\u009B2J'),
			'{"type":"tool.finished","time":1,"from":"elsewhere"}\n',
			'no JSON \u001B]0;title\u0007\n',
		]);
		const {stdout} = await runSluice({home}, 'logs');
		expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/u);
		expect(stdout).toContain('"from":"elsewhere"');
		expect(stdout).toContain('no JSON ␛]0;title␇');
		const terminal = typeSluice({home}, 'logs', '--raw');
		expect(await terminal.exit).toBe(2);
		await terminal.waitFor('--raw is for a pipe or a file');
	});

	test('shows the stderr of a server; its notes say how old a line is', async () => {
		const {home} = withLog([]);
		const now = Date.now();
		const note = (ago: number) => `[sluice ${new Date(now - ago).toISOString()}] started`;
		const path = join(home, 'logs', 'mcp-stderr', 'files.log');
		writeFileSync(path, [note(7_200_000), 'old', note(60_000), 'new', ''].join('\n'));
		expect(words((await runSluice({home}, 'logs', '--server', 'files')).stdout)).toEqual([
			'started',
			'old',
			'started',
			'new',
		]);
		expect(words((await runSluice({home}, 'logs', '--server', 'files', '--since', '1h')).stdout)).toEqual([
			'started',
			'new',
		]);
		expect(await runSluice({home}, 'logs', '--server', 'fils')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('did you mean "files"?'),
		});
	});

	test('follows over a rotation, and Ctrl-C ends it with 0', async () => {
		const {home, path} = withLog([line('first')]);
		const following = startSluice({home}, 'logs', '-f');
		await following.waitForLine('first');
		appendFileSync(path, line('second'));
		await following.waitForLine('second');
		appendFileSync(path, line('third'));
		renameSync(path, `${path}.1`);
		writeFileSync(path, line('fourth'));
		await following.waitForLine('fourth');
		const fifth = line('fifth');
		appendFileSync(path, fifth.slice(0, 20));
		appendFileSync(path, fifth.slice(20));
		await following.waitForLine('fifth');
		following.signal('SIGINT');
		const {code, stdout, stderr} = await following.end;
		expect([code, words(stdout), stderr]).toEqual([0, ['first', 'second', 'third', 'fourth', 'fifth'], '']);
	});

	test('waits for a log that is not there yet', async () => {
		const home = stateDirectory({});
		const following = startSluice({home}, 'logs', '--follow', '-n', '0');
		await following.waitForNotice('There is no log yet');
		const gateway = startSluice({home}, 'gateway', 'run');
		await gateway.waitForLine('started');
		await following.waitForLine('gateway    started');
		following.signal('SIGINT');
		expect(await following.end).toMatchObject({code: 0});
	});
});

test.each([
	['30s', 30_000],
	['10m', 600_000],
	['2h', 7_200_000],
	['1d', 86_400_000],
])('%s ago is a time', (text, ago) => {
	expect(readTime(text, 1_700_000_000_000, '--since')).toBe(1_700_000_000_000 - ago);
});

test('a date is local, and a time without a zone too', () => {
	expect(readTime('2026-05-04', 0, '--since')).toBe(new Date(2026, 4, 4).getTime());
	expect(readTime('2026-05-04 14:02', 0, '--since')).toBe(new Date(2026, 4, 4, 14, 2).getTime());
	expect(readTime('2026-05-04T14:02:31Z', 0, '--since')).toBe(Date.UTC(2026, 4, 4, 14, 2, 31));
});
