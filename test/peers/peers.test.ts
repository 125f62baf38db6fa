import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openForAll} from '../helpers/on-test-finished.ts';
import {type PeerClient} from './peer.ts';
import {openPeerStage, type PeerStage, written} from './peer-stage.ts';
import {type Ability, offered, peers} from './peers.ts';

const stage = openForAll(() => openPeerStage(offered.includes('elicitation') ? {elicitation: true} : {}));
const texts = (result: unknown) => JSON.stringify(result);
const resource = 'sluice://resources/everything/demo://resource/dynamic/text';

/** One of the names, whatever stands before and behind it. */
function nameOf(names: readonly string[], part: RegExp): string {
	const found = names.filter(name => part.test(name));
	expect(found).toHaveLength(1);
	return found[0] ?? '';
}

/** The abilities of a client, as a person sees them. */
const abilities: Readonly<Record<Ability, (client: PeerClient, stage: PeerStage) => Promise<void>>> = {
	async tools(client) {
		expect(await client.tools()).toEqual(expect.arrayContaining(['mcp__everything__echo', 'mcp__plain__append']));
		expect(texts(await client.call('mcp__everything__echo', {message: 'hello'}))).toContain('Echo: hello');
	},
	async approval(client, {folder, allowNext}) {
		const file = join(folder, `${crypto.randomUUID()}.txt`);
		const called = client.call('mcp__plain__append', {file, text: 'once'});
		const allowed = allowNext().then(() => written(file));
		expect(texts(await called)).toContain('done');
		expect([await allowed, written(file)]).toEqual([expect.any(String), 'once']);
	},
	async resources(client) {
		expect(await client.resources()).toContain(
			'sluice://resources/everything/demo://resource/static/document/features.md',
		);
		expect(texts(await client.read(`${resource}/7`))).toContain('Resource 7: This is a plaintext resource');
	},
	async templates(client) {
		expect(await client.templates()).toContain(`${resource}/{resourceId}`);
	},
	async prompts(client) {
		const name = nameOf(await client.prompts(), /args.prompt/u);
		expect(texts(await client.prompt(name, {city: 'Oslo', state: 'Norway'}))).toContain('weather in Oslo, Norway');
	},
	async completion(client) {
		const name = nameOf(await client.prompts(), /completable.prompt/u);
		const department = {name: 'department', value: 'S'};
		expect(await client.complete({type: 'ref/prompt', name}, department)).toEqual(['Sales', 'Support']);
		const template = {type: 'ref/resource', uri: `${resource}/{resourceId}`} as const;
		expect(await client.complete(template, {name: 'resourceId', value: '7'})).toEqual(['7']);
	},
	async elicitation(client, {allowNext}) {
		const called = client.call('mcp__everything__trigger_elicitation_request', {});
		await allowNext();
		expect(texts(await called)).toContain('Name: Ada');
	},
};

describe.each(peers)('$name', ({connect, lacks}) => {
	let client: PeerClient;
	beforeAll(async () => void (client = await connect(stage())));
	afterAll(() => client.close());
	const able = offered.filter(ability => !(ability in lacks));

	test.each(able)('%s', ability => abilities[ability](client, stage()));
});
