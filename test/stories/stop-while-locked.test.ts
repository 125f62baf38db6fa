import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as wait} from 'node:timers/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import {runSluiceJson} from '../helpers/run-sluice.ts';
import {startSluice, stateDirectory} from '../helpers/sluice.ts';
import {openScriptedModel} from '../simulators/scripted-model.ts';
import {listeningAt, post, webhookPlatform} from './sender.ts';

/** A statement waits two seconds for another writer of the file. */
const refusedMilliseconds = 2500;

test('an answer that is ready after a stop began is written, although another program holds the file of the journal for a while', async () => {
	const answer = Promise.withResolvers<string>();
	const model = await openScriptedModel(() => answer.promise);
	onTestFinished(model.close);
	const home = stateDirectory({
		...webhookPlatform({issues: {prompt: 'Look at issue {number}'}}),
		model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'},
	});
	const gateway = startSluice({home}, 'gateway', 'run', '--log', 'json');
	const address = await listeningAt(gateway);
	expect(await post(address, {id: 'one', event: 'issues', payload: {number: 7}})).toMatchObject({status: 202});
	await vi.waitFor(() => expect(model.asked()).toHaveLength(1), {timeout: 10_000});

	const other = new DatabaseSync(join(home, 'journal.db'), {timeout: 5000});
	other.exec('BEGIN IMMEDIATE');
	gateway.signal('SIGTERM');
	await gateway.waitForLine('stopping');
	answer.resolve('The barrel leaks.');
	await wait(refusedMilliseconds);
	other.close();
	expect((await gateway.end).code).toBe(0);
	expect(await runSluiceJson({home}, 'runs', 'list')).toMatchObject([{state: 'finished'}]);
});
