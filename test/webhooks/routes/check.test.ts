import {expect, test} from 'vitest';
import {checkRoutes} from '../../../source/webhooks/routes/check.ts';
import {createListFiles} from '../../../source/webhooks/filters/list-file.ts';
import {webhookConfig} from '../webhook-config.ts';

test('what a route could not do is told by route, and the others are fine', () => {
	const config = webhookConfig({
		routes: [
			{name: 'fine'},
			{name: 'pattern', filters: [{kind: 'regex', field: 'a', pattern: '(?!x)'}]},
			{name: 'rotating', secrets: ['good', '${UNSET}']},
			{name: 'no base64', secrets: ['whsec_!']},
		],
	});
	const problems = checkRoutes(config, {expand: text => text, lists: createListFiles('/nowhere')});
	expect(problems.map(({code, scope}) => ({code, scope}))).toEqual([
		{code: 'pattern_refused', scope: {kind: 'route', name: 'pattern'}},
		{code: 'route_without_secret', scope: {kind: 'route', name: 'rotating'}},
		{code: 'route_without_secret', scope: {kind: 'route', name: 'no base64'}},
	]);
	expect(problems[0]?.message).toContain('(?!');
});
