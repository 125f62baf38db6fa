import {expect, test} from 'vitest';
import {dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {pressUntil, startSluice, stateDirectory, webhookAddress} from '../helpers/sluice.ts';
import {type Terminal} from '../helpers/terminal.ts';
import {fileURLToPath} from 'node:url';
import {addTask, garden} from './garden.ts';
import {post, webhookPlatform} from './sender.ts';

const sizes = [
	[200, 60],
	[120, 40],
	[80, 24],
	[40, 10],
] as const;

/** The texts on every screen, and those besides on screens of at least 80 and 120 columns. */
type Shown = {
	readonly always: readonly RegExp[];
	readonly from80?: readonly RegExp[];
	readonly from120?: readonly RegExp[];
};

const overview: Shown = {
	always: [/routes · .*─ \/s {1,2}failed /, /✖ ticks +.*100 %/, /✖ broken +failed/, /▲ 1 approval/],
	from80: [
		/needs you · 2/,
		/▲ #\w+ .*garden\/add_task +\{"title":"Mow the lawn"\}/,
		/◇ inbox .*pulls .*no model configured/,
		/● pulls .*0 %/,
		/servers · 1 of 3 needs something .* p50 .*failed/,
		/● garden +connected .*untrusted/,
		/model ○ none .*✖ 1 to mattermost not delivered/,
	],
	from120: [/last hour/, /selected · /, /3 Events · following · 3/],
};
const you: Shown = {
	always: [/2 You · 3/, /▲ .*garden\/add_task +\{"title":"Mo/, /◇ inbox .*pulls/, /✖ failing .*ticks/],
	from80: [/no model configured/, /1 to mattermost not delivered/],
	from120: [/expires \d:\d\d/],
};
const trace: Shown = {
	always: [/Trace \w+ · ticks · "tick/, /● received +POST \/webhooks/, /✖ not deli.*502/, /✖ not deli.*mattermost/],
	from80: [/✔ delivery \d+ ms/, /home_channel is not a chat/],
};
const palette: Shown = {always: [/Commands · \d/, /^[> ] open server garden/m, /^ : open server garden/m]};
const serverPage: Shown = {
	always: [/1 Overview · garden/, /● connected since/],
	from80: [/Latest calls/, /asks +add_task/, /untrusted: every tool that is not read-only asks first/],
	from120: [/Entry in config\.yaml, secrets masked/, /"trust": "untrusted"/],
};
const pageTop: Shown = {always: [/─ Event \S+/, /verdict: 502/], from80: [/Deliveries/, /mattermost failed/]};
const pageEnd: Shown = {always: [/end of it" *$/m, /^ \} *$/m], from80: [/"n": 1/]};

/** At each size: all of it is there, the header is the first row, and no row is longer than the screen. */
async function expectAtEachSize(dashboard: Terminal, {always, from80 = [], from120 = []}: Shown): Promise<void> {
	for (const [columns, rows] of sizes) {
		dashboard.resize(columns, rows);
		const wanted = [...always, ...(columns < 80 ? [] : from80), ...(columns < 120 ? [] : from120)];
		for (const text of [...wanted, new RegExp(`^ ?sluice .*(?:\\n.*){${rows - 2}}\\n.*\\S`)]) {
			await dashboard.waitFor(text);
		}

		// Frames of the size before may still arrive.
		await expect.poll(dashboard.wrappedRows, {interval: 10, timeout: 10_000}).toBe(0);
	}
}

const callPage: Shown = {
	always: [/─ Call \S+/, /^ \{ *$/m, /^ {3}"done": true, *$/m, /^ {5}"count": 2 *$/m, /^ \} *$/m],
	from80: [/─ Result ─/, /^ {4}"text": "\{\\"done/m],
};

/** A server whose result is what it was sent: JSON in one line. */
const plain = {command: process.execPath, args: [fileURLToPath(new URL('../fixtures/mcp-plain.ts', import.meta.url))]};
const echo = ['mcp', 'call', 'mcp__plain__echo', '--args', JSON.stringify({text: '{"done":true,"beds":{"count":2}}'})];

const coloured = /"done"\u001B\[[\d;]*m: \u001B\[[\d;]*mtrue/u;

const note = `${Array.from({length: 40}, (_, index) => `word${index}`).join(' ')} end of it`;

/** The rows of the open text from its first line to its last, page by page. */
async function readToEnd(dashboard: Terminal): Promise<string> {
	const place = /· (?<first>\d+)–(?<last>\d+) of (?<all>\d+)/;
	const lines: string[] = [];
	dashboard.press('g');
	await dashboard.waitFor('· 1–');
	for (;;) {
		const screen = dashboard.screen();
		const title = screen.findIndex(row => place.test(row));
		const {first = '', last = '', all = ''} = place.exec(screen[title] ?? '')?.groups ?? {};
		screen
			.slice(title + 1, title + 2 + Number(last) - Number(first))
			.forEach((row, index) => (lines[Number(first) - 1 + index] = row.slice(1)));
		if (last === all) {
			return lines.join('');
		}

		dashboard.press(' ');
		await dashboard.waitFor(new RegExp(`· (?!${first}–${last} )\\d+–\\d+ of`));
	}
}

test.each(dashboardWays)(
	'every page says what a person needs at every size, and nothing is cut off or lost (gateway: %s)',
	async way => {
		const {platforms} = webhookPlatform({
			ticks: {deliver: 'mattermost', deliver_only: true, prompt: 'tick {n}'},
			pulls: {deliver: 'log', prompt: 'Look at {title}'},
		});
		const mattermost = {enabled: true, base_url: 'http://127.0.0.1:9', token: 't', home_channel: 'ops'};
		const home = stateDirectory({
			mcp_servers: {garden, plain, broken: {command: '/no/such/program'}},
			model: {provider: 'none'},
			platforms: {...platforms, mattermost},
		});
		const dashboard = await openDashboardIn(way, {home}, {columns: 120, rows: 40});
		await dashboard.waitFor(/broken +failed[^]*garden +connected[^]*plain +connected/);
		const base = await webhookAddress(dashboard);
		await post(base, {route: 'pulls', id: 'p1', event: 'pull_request', payload: {title: 'Deploy'}});
		await post(base, {route: 'ticks', id: 't1', event: 'tick', payload: {n: 1, note}});
		startSluice({home}, ...addTask);
		await dashboard.waitFor('1 approval');

		await expectAtEachSize(dashboard, overview);
		await pressUntil(dashboard, '2', '─ 2 You');
		await expectAtEachSize(dashboard, you);
		await pressUntil(dashboard, '3', '─ 3 Events');
		dashboard.press('\r');
		await expectAtEachSize(dashboard, trace);
		dashboard.press('\r');
		await expectAtEachSize(dashboard, pageTop);
		// A blank at the end of a row cannot be seen.
		const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '');
		expect(withoutBlanks(await readToEnd(dashboard))).toContain(withoutBlanks(`"note": "${note}"`));
		dashboard.press('G');
		await expectAtEachSize(dashboard, pageEnd);
		const echoed = startSluice({home}, ...echo);
		await pressUntil(dashboard, ':', 'Commands');
		dashboard.press('open server garden');
		await expectAtEachSize(dashboard, palette);
		dashboard.press('\r');
		await expectAtEachSize(dashboard, serverPage);

		await echoed.waitForLine('done');
		await pressUntil(dashboard, ':', 'Commands');
		dashboard.press('calls plain');
		await dashboard.waitFor(/^ : calls plain/m);
		for (const page of [/─ Latest calls · 1 .*\n.*echo/, /● called +plain/, /─ Call /]) {
			dashboard.press('\r');
			await dashboard.waitFor(page);
		}

		dashboard.press('G');
		await expectAtEachSize(dashboard, callPage);
		expect(dashboard.bytes()).toMatch(coloured);
	},
	60_000,
);
