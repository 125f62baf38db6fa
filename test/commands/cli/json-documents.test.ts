import {expect, test} from 'vitest';
import {type z} from 'zod';
import {commandDocument, errorDocumentJson} from '../../../source/control/command-documents.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {sluice, stateDirectory} from '../../helpers/sluice.ts';
import {garden} from '../../stories/garden.ts';

const config = {
	mcp_servers: {garden},
	approvals: {rules: [{action: 'deny', server: 'a', tool: 'b'}]},
	gateway: {endpoint: {enabled: false}},
	platforms: {webhook: {enabled: true, port: 0, secret: 'a-secret-of-the-route', routes: {pulls: {}}}},
};

/** Command lines in their sequence on one state directory; the first words are the own name of a command. */
const lines: ReadonlyArray<readonly [name: string, words: readonly string[], code: number]> = [
	['status', [], 3],
	['version', [], 0],
	['inbox', [], 0],
	['doctor', ['--offline'], 0],
	['skills list', [], 0],
	['logins list', [], 0],
	['clients list', [], 0],
	['clients add', ['laptop'], 0],
	['clients rotate', ['laptop'], 0],
	['clients headers', ['laptop'], 0],
	['clients remove', ['laptop', '--yes'], 0],
	['connect', [], 0],
	['connect', ['cursor', '--yes'], 0],
	['connect', ['cursor', '--remove', '--yes'], 0],
	['mcp list', [], 0],
	['mcp show', ['garden'], 0],
	['mcp tools', ['garden'], 0],
	['mcp test', ['garden'], 0],
	['mcp call', ['garden/water', 'plant=fern'], 1],
	['mcp disable', ['garden'], 0],
	['mcp enable', ['garden'], 0],
	['mcp add', ['other', 'x', '--no-probe', '--yes'], 0],
	['mcp remove', ['other', '--yes'], 0],
	['webhook subscribe', ['alerts'], 0],
	['webhook setup', ['github', 'acme/shop'], 0],
	['webhook list', [], 0],
	['webhook show', ['alerts'], 0],
	['webhook presets', [], 0],
	['webhook presets', ['stripe'], 0],
	['webhook test', ['pulls', '--dry-run'], 0],
	['webhook remove', ['alerts'], 0],
	['cron create', ['daily', '--schedule', 'every 1h', '--prompt', 'What is new?'], 0],
	['cron list', [], 0],
	['cron show', ['daily'], 0],
	['cron edit', ['daily', '--prompt', 'And now?'], 0],
	['cron pause', ['daily'], 0],
	['cron resume', ['daily'], 0],
	['cron remove', ['daily'], 0],
	['approvals list', [], 0],
	['questions list', [], 0],
	['rules list', [], 0],
	['rules show', ['b452904e'], 0],
	['rules test', ['garden/water'], 0],
	['rules rehearse', [], 0],
	['rules add', ['--deny', 'garden/water', 'plant=cactus'], 0],
	['rules remove', ['nope'], 1],
	['config path', [], 0],
	['config set', ['agent.max_steps', '12'], 0],
	['config get', ['agent'], 0],
	['config unset', ['agent.max_steps'], 0],
	['events list', [], 0],
	['deliveries list', [], 0],
	['runs list', [], 0],
	['calls list', [], 0],
	['uncertain list', [], 0],
	['hold', ['a reason'], 0],
	['gateway setup', ['--yes', '--no-webhooks'], 0],
];

/** Why the output of a command is not the document of this schema; undefined if it is. */
function complaintOf(stdout: string, schema: z.ZodType): string | undefined {
	try {
		const document: unknown = JSON.parse(stdout);
		expect(schema.parse(document)).toEqual(document);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

test('the document of each command has the members of its schema, and no others', async () => {
	const home = stateDirectory(config);
	const ended = [];
	for (const [name, words] of lines) {
		const {code, stdout, stderr} = await runSluice({home}, ...name.split(' '), ...words, '--json');
		const complaint = complaintOf(stdout, commandDocument(name).schema);
		ended.push([name, words, code, ...(complaint === undefined ? [] : [complaint, stdout, stderr])]);
	}

	expect(ended).toEqual(lines);
	expect(complaintOf('{"version": 1}', commandDocument('version').schema)).toContain('version');
});

test.each([
	[['mcp', 'login', 'garden'], 2],
	[['mcp', 'reconnect', 'garden'], 1],
	[['mcp', 'remove', 'garden'], 2],
	[['mcp', 'install', 'sluice://nothing'], 1],
	[['webhook', 'handshake', 'pulls'], 1],
	[['runs', 'start', 'Hello'], 1],
	[['uncertain', 'resolve', '9db7', '--happened'], 1],
	[['approve', '9db7'], 1],
])('%j that could not be done has the error as its document, and ends with %d', async (words, code) => {
	const {stdout, ...ended} = await runSluice({home: stateDirectory(config)}, ...words, '--json');
	expect([ended.code, complaintOf(stdout, errorDocumentJson)]).toEqual([code, undefined]);
});

test('a command line that cannot be read has the error as its document', async () => {
	const ended = await sluice({home: stateDirectory()}, 'status', '--port', '--json');
	expect([ended.code, JSON.parse(ended.stdout)]).toEqual([
		2,
		{error: {code: 'bad_usage', message: '--port needs a value'}},
	]);
});
