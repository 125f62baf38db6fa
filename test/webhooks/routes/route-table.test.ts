import {describe, expect, test} from 'vitest';
import {type RouteConfig} from '../../../source/config/webhooks/route-entry.ts';
import {createListFiles} from '../../../source/webhooks/filters/list-file.ts';
import {buildRouteTable, findRoute} from '../../../source/webhooks/routes/route-table.ts';
import {route, webhookConfig} from '../webhook-config.ts';
import {to} from '../../helpers/destinations.ts';

const only = (running: string) => ({running, serves: () => false});

function tableOf(...sources: ReadonlyArray<readonly RouteConfig[]>) {
	return buildRouteTable(webhookConfig(), sources, {expand: text => text, lists: createListFiles('/nowhere')});
}

describe('names', () => {
	const table = tableOf([route({name: 'both', deliver: to('static')})], [route({name: 'both'}), route({name: 'own'})]);
	test('the earlier source wins a name', () => {
		expect(table.routes.get('both')?.config.deliver).toEqual(to('static'));
		expect([...table.routes.keys()]).toEqual(['both', 'own']);
	});

	test.each(['__proto__', 'constructor', 'toString', '', 'BOTH'])('"%s" is unknown', name => {
		expect(findRoute(table, {name, profile: undefined}, only('default'))).toBeUndefined();
	});
});

describe('profiles', () => {
	const table = tableOf([route({name: 'free'}), route({name: 'bound', profile: 'work'})]);
	test.each([
		{running: 'default', name: 'free', profile: undefined, found: true},
		{running: 'default', name: 'free', profile: 'default', found: true},
		{running: 'default', name: 'free', profile: 'work', found: false},
		{running: 'default', name: 'bound', profile: undefined, found: false},
		{running: 'default', name: 'bound', profile: 'work', found: false},
		{running: 'default', name: 'bound', profile: 'default', found: false},
		{running: 'work', name: 'bound', profile: 'work', found: true},
		{running: 'work', name: 'bound', profile: undefined, found: true},
		{running: 'work', name: 'bound', profile: 'default', found: false},
		{running: 'work', name: 'free', profile: undefined, found: true},
	])('with $running running, $name asked for under $profile is there: $found', ({running, name, profile, found}) => {
		expect(findRoute(table, {name, profile}, only(running)) !== undefined).toBe(found);
	});
});
