import {expect, test} from 'vitest';
import {type OauthConfig} from '../../source/config/servers/oauth-entry.ts';
import {toLoginTarget} from '../../source/oauth/protocol/login-target.ts';
import {serverConfig} from '../tools/server-offers.ts';

function targetWith(oauth: Partial<OauthConfig>, url = 'https://mcp.example/') {
	const login: OauthConfig = {flow: 'browser', timeoutSeconds: 300, identification: 'document', ...oauth};
	const config = serverConfig({
		transport: {
			kind: 'http',
			preflight: 'probe',
			url,
			headers: {},
			tls: {verification: {kind: 'system'}},
			oauth: login,
		},
	});
	const expand = (text: string) => text.replace('${REDIRECT}', 'http://127.0.0.1:9/callback');
	return () => toLoginTarget(config, {expand, home: '/home/a'});
}

test.each(['${REDIRECT}', 'https://mine.example/back'])('the redirect %s is an address', redirectUri => {
	expect(targetWith({redirectUri})).not.toThrow();
});

test.each(['${GONE}', 'callback', '127.0.0.1:9/callback', 'file:///callback'])(
	'the redirect %s is none',
	redirectUri => {
		expect(targetWith({redirectUri})).toThrow('`oauth.redirect_uri` must be an http:// or https:// address');
	},
);

test('an invalid address of the server is reported too', () => {
	expect(targetWith({}, 'mcp.example')).toThrow('`url` must be an http:// or https:// address');
});
