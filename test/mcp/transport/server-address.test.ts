import {expect, test} from 'vitest';
import {serverAddress} from '../../../source/mcp/transport/server-address.ts';

test.each([
	[['npx', '-y', 'server'], 'npx -y server'],
	[['run', '--token', 'abc'], 'run --token •••'],
	[['run', '--api-key=abc'], 'run --api-key=•••'],
	[['run', 'API_KEY=abc'], 'run API_KEY=•••'],
	[['run', '--token', '${TOKEN}'], 'run --token •••'],
	[['run', '--port=80', '--name', 'a b'], 'run --port=80 --name "a b"'],
	[['run', 'postgres://me:pw@db/x'], 'run postgres://•••@db/x'],
	[['run', '\u001B[31mred'], 'run ␛[31mred'],
])('the command line %j is shown as %s', ([command = '', ...args], shown) => {
	expect(serverAddress({kind: 'stdio', command, args, env: {SECRET: 'abc'}})).toBe(shown);
});

test.each([
	['https://host.example/mcp?key=abc', 'https://host.example/mcp'],
	['https://me:pw@host.example/mcp', 'https://•••@host.example/mcp'],
	['${BASE}/mcp?key=${KEY}', '${BASE}/mcp'],
	['https://host.example/mcp#x', 'https://host.example/mcp'],
])('the address %s is shown as %s', (url, shown) => {
	const tls = {verification: {kind: 'system'}} as const;
	expect(serverAddress({kind: 'http', url, headers: {authorization: 'abc'}, tls, preflight: 'probe'})).toBe(shown);
});
