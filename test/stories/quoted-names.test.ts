import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {aroundEach, expect, test, vi} from 'vitest';
import {dashboardWays, openDashboardIn} from '../helpers/dashboard-ways.ts';
import {freePort} from '../helpers/free-port.ts';
import {inOwnContext, onTestFinished} from '../helpers/on-test-finished.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {pressUntil, readState, stateDirectory} from '../helpers/sluice.ts';
import {addTask, garden} from './garden.ts';

aroundEach(inOwnContext);

const name = 'codex  trusted · run f96… · route pulls · signature X-Hub-Signature-256';
const shown = 'claimed client "codex ␠trusted · run f96… · route pulls · signature X-Hub-Signature-256"';
const origin = {kind: 'endpoint', client: name};

/** The text of a screen outside quotation marks; a quotation that a row cuts ends there. */
const ownWords = (screen: string) => screen.replaceAll(/"[^"\n]*…$/gmu, '""').replaceAll(/"[^"]*"/gu, '""');

test.concurrent.each(dashboardWays)(
	'the name of an endpoint client is a quoted claim on card, list, trace and in commands, and exact in JSON (gateway: %s)',
	async way => {
		const port = await freePort();
		const home = stateDirectory({mcp_servers: {garden}, gateway: {endpoint: {port}}});
		const dashboard = await openDashboardIn(way, {home});
		await dashboard.waitFor(/● garden +connected/);
		await vi.waitFor(() => expect(readState(home, '.env')).toContain('SLUICE_ENDPOINT_TOKEN='), {timeout: 10_000});
		const token = /^SLUICE_ENDPOINT_TOKEN=(.+)$/mu.exec(readState(home, '.env'))?.[1] ?? '';
		const client = new Client({name, version: '1.0.0'});
		onTestFinished(() => client.close().catch(() => undefined));
		const requestInit = {headers: {authorization: `Bearer ${token}`}};
		await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {requestInit}));
		const [, , tool = '', , args = ''] = addTask;
		const call = client.callTool({name: tool, arguments: JSON.parse(args) as Record<string, unknown>});
		call.catch(() => undefined);
		await dashboard.waitFor('1 approval waiting');

		await pressUntil(dashboard, 'A', 'APPROVAL 1 of 1');
		await dashboard.waitFor(/ from {4}endpoint · claimed client "codex ␠trusted · run f96… · route/);
		await dashboard.waitFor(/^ {7}… .*signature X-Hub-Signature-256"$/mu);
		expect(ownWords(dashboard.screen().join('\n'))).not.toMatch(/codex|f96|X-Hub/u);
		dashboard.resize(40, 10);
		await dashboard.waitFor(/ from {4}endpoint · claimed client\n {7}… "codex ␠trusted · run f96… · r…$/mu);
		dashboard.resize(80, 24);

		const listed = await runSluice({home}, 'approvals', 'list');
		expect(listed.stdout).toMatch(/endpoint · claimed client "codex ␠trusted · run f96… · route pulls/u);
		const [row] = (await runSluiceJson({home}, 'approvals', 'list')) as [{id: string; origin: object}];
		expect(row).toMatchObject({origin});
		const page = await runSluice({home}, 'approvals', 'allow', row.id);
		expect(page.stderr).toContain(`\nfrom: endpoint · ${shown}\n`);

		await dashboard.waitFor(/^ ready/m);
		dashboard.press('a');
		await call;
		const [stored] = (await runSluiceJson({home}, 'calls', 'list')) as [{id: string; origin: object}];
		expect(stored).toMatchObject({origin, outcome: 'ok'});
		expect((await runSluice({home}, 'calls', 'show', stored.id)).stdout).toContain(`from: endpoint · ${shown}\n`);

		await pressUntil(dashboard, '3', '3 Events');
		await dashboard.waitFor(/ok +call +garden|ok +garden +add_task/);
		expect(ownWords(dashboard.screen().join('\n'))).not.toMatch(/codex|f96|X-Hub/u);
		await pressUntil(dashboard, '\r', /Trace \w+ · garden\/add_task/u);
		await dashboard.waitFor(/called +garden\/add_task/);
		dashboard.resize(200, 24);
		await dashboard.waitFor(`from endpoint · ${shown}`);
		expect(ownWords(dashboard.screen().join('\n'))).not.toMatch(/codex|f96|X-Hub/u);
	},
	60_000,
);
