import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {configSchema, configSchemaText} from '../../../source/config/read/config-schema.ts';
import {deliveryTargets} from '../../../source/config/platforms/platform-keys.ts';

const serverKeys = configSchema().shape.mcp_servers.unwrap().valueType.shape;
const webhook = configSchema().shape.platforms.unwrap().shape.webhook.unwrap().shape;
const routeKeys = webhook.routes.unwrap().valueType.shape;

test('config.schema.json is what the schema says; `npm run docs` writes it', () => {
	const file = readFileSync(new URL('../../../config.schema.json', import.meta.url), 'utf8');
	expect(file === configSchemaText()).toBe(true);
});

describe('every key of the specifications is known', () => {
	test.each(
		[
			'command args env url headers ssl_verify client_cert client_key enabled timeout connect_timeout protocol',
			'supports_parallel_tool_calls skip_preflight transport keepalive_interval lazy idle_timeout_seconds',
			'max_lifetime_seconds lifecycle tools auth oauth sampling elicitation trust',
		].flatMap(keys => keys.split(' ')),
	)('of a server: %s', key => {
		expect(Object.keys(serverKeys)).toContain(key);
	});

	test.each(
		'events secret profile prompt filters script skills toolsets deliver deliver_extra deliver_only cron_job coalesce enabled signature'.split(
			' ',
		),
	)('of a route: %s', key => {
		expect(Object.keys(routeKeys)).toContain(key);
	});

	test.each('enabled port host secret routes rate_limit max_body_bytes extra'.split(' '))('of the adapter: %s', key => {
		expect(Object.keys(webhook)).toContain(key);
	});

	test.each(deliveryTargets.filter(name => name !== 'log'))('of the platforms: %s', name => {
		expect(Object.keys(configSchema().shape.platforms.unwrap().shape)).toContain(name);
	});
});

test('every key is described for editors', () => {
	const missing: string[] = [];
	const visit = (schema: unknown, path: string) => {
		if (typeof schema !== 'object' || schema === null) {
			return;
		}

		const properties: unknown = Reflect.get(schema, 'properties');
		for (const [name, property] of Object.entries(typeof properties === 'object' && properties ? properties : {})) {
			const text = JSON.stringify(property);
			if (!text.includes('"description"') && !text.includes('"$ref"')) {
				missing.push(`${path}.${name}`);
			}
		}

		for (const [name, part] of Object.entries(schema)) {
			visit(part, `${path}.${name}`);
		}
	};

	visit(JSON.parse(configSchemaText()), '');
	expect(missing).toEqual([]);
});
