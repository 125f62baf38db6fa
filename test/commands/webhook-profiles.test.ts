import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type CommandContext} from '../../source/commands/cli/command.ts';
import {type RouteRegistry} from '../../source/commands/webhook/route-registry.ts';
import {runWebhookList} from '../../source/commands/webhook/webhook-list.ts';
import {ownEvents} from './command-fixture.ts';
import {openState} from './webhook-fixture.ts';

const list = (context: CommandContext, openRoutes: () => Promise<RouteRegistry>) =>
	runWebhookList(context, openRoutes, ownEvents({}));

test('webhook list checks the route of a profile that is served too by the secrets of that profile', async () => {
	const {run, home} = openState();
	const routes = {theirs: {secret: '${WORK_KEY}', profile: 'work'}, nobodys: {secret: 'enough', profile: 'gone'}};
	const config = {gateway: {multiplex_profiles: true}, platforms: {webhook: {enabled: true, routes}}};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
	mkdirSync(join(home, 'profiles', 'work'), {recursive: true});
	writeFileSync(join(home, 'profiles', 'work', '.env'), 'WORK_KEY=theirs\n', {mode: 0o600});
	const {stdout} = await run(list, [], {json: true});
	expect(JSON.parse(stdout)).toMatchObject([
		{name: 'theirs', state: 'served', reason: null},
		{name: 'nobodys', state: 'off', reason: 'profile gone is not served'},
	]);
});
