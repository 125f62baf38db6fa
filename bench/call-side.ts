/*
One of the clients that `npm run bench:calls` compares, `call-side.ts bare|sluice… <address>`, in a process of its own: none pays for the garbage
of another. Told how many calls to make, it answers what each took.
*/
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {startToolService} from './gateway-parts.ts';
import {type EchoCall, takeOrders} from './measure-calls.ts';

const [kind, url = ''] = process.argv.slice(2);

async function openBare(): Promise<EchoCall> {
	const client = new Client({name: 'bare', version: '0.0.0'});
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	return text => client.callTool({name: 'echo', arguments: {text}});
}

/** Everything on: policy, queue, journal, masking of secrets, log file, and a store that listens as the dashboard's does. */
async function openThrough(rules: readonly object[]): Promise<EchoCall> {
	const {service, close} = await startToolService(
		{peer: {url, supports_parallel_tool_calls: true, trust: 'untrusted', headers: {'x-key': 'a secret of the entry'}}},
		rules,
	);
	service.apply();
	await service.connections.settled(new AbortController().signal);
	process.once('disconnect', () => void close().then(() => process.exit()));
	const {signal} = new AbortController();
	return async text => {
		const origin = {kind: 'command-line'} as const;
		const outcome = await service.callTool({name: 'mcp__peer__echo', arguments: {text}, origin}, {signal});
		if (outcome.kind !== 'result') {
			throw new Error(outcome.error.message);
		}
	};
}

/** None of them holds for the calls; `toolOf` names the tool of each. */
function makeRules(toolOf: (index: number) => string): readonly object[] {
	return Array.from({length: 200}, (_, index) => {
		const written = [
			{action: 'deny', arguments: {text: {equals: `delete ${index}`}}},
			{action: 'ask', arguments: {text: {glob: `drop ${index} *`}}},
			{action: 'deny', arguments: {path: {prefix: `/etc/${index}`}}},
			{action: 'allow', arguments: {text: {in: [`read ${index}`, `list ${index}`]}}},
			{action: 'deny', arguments: {text: {glob: `*.${index}.secret`}}},
			{action: 'ask', arguments: {url: {host: [`host-${index}.example.com`]}}},
		];
		return {...written[index % written.length], server: 'peer', tool: toolOf(index)};
	});
}

const rulesOf: Readonly<Record<string, readonly object[]>> = {
	sluice: [],
	'sluice-rules-of-many': makeRules(index => (index % 25 === 0 ? 'echo' : `tool_${index % 40}`)),
	'sluice-rules-of-one': makeRules(() => 'echo'),
};

takeOrders(await (kind === 'bare' ? openBare() : openThrough(rulesOf[kind ?? ''] ?? [])));
