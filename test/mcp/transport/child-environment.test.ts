import {expect, test} from 'vitest';
import {childEnvironment} from '../../../source/mcp/transport/child-environment.ts';

const names = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'SHELL', 'TMPDIR', 'XDG_RUNTIME_DIR'];

test.each(names)('%s is passed on', name => {
	expect(childEnvironment({[name]: 'x'}, {})).toEqual({[name]: 'x'});
});

test.each(['GITHUB_TOKEN', 'NODE_OPTIONS', 'LD_PRELOAD', 'MYPATH', 'PATHS', 'SLUICE_HOME'])('%s stays here', name => {
	expect(childEnvironment({[name]: 'x'}, {})).toEqual({});
});

test('the own environment of an entry is added and wins', () => {
	expect(childEnvironment({PATH: '/bin'}, {PATH: '/own', KEY: 'k'})).toEqual({PATH: '/own', KEY: 'k'});
});
