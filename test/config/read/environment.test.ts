import {afterEach, expect, test, vi} from 'vitest';
import {readEnvironment} from '../../../source/config/read/environment.ts';

afterEach(() => vi.unstubAllEnvs());

test('SLUICE_HOME, when set, is where the state lives', () => {
	vi.stubEnv('SLUICE_HOME', '/state');
	expect(readEnvironment().sluiceHome).toBe('/state');
});

test('an empty SLUICE_HOME is none', () => {
	vi.stubEnv('SLUICE_HOME', '');
	expect(readEnvironment().sluiceHome).toBeUndefined();
});

test.each([
	['1', true],
	['', false],
])('NO_COLOR=%j', (value, expected) => {
	vi.stubEnv('NO_COLOR', value);
	expect(readEnvironment().noColor).toBe(expected);
});

test('XDG_RUNTIME_DIR is where sockets may go', () => {
	vi.stubEnv('XDG_RUNTIME_DIR', '/run/user/1');
	expect(readEnvironment().runtimeDirectory).toBe('/run/user/1');
});

test.each(['', '.', 'run/user'])('with XDG_RUNTIME_DIR=%j it is a folder of the user in the temporary one', folder => {
	vi.stubEnv('XDG_RUNTIME_DIR', folder);
	expect(readEnvironment().runtimeDirectory).toMatch(/^\/.*sluice-\d+$/u);
});

test('a variable that changes later is not seen', () => {
	const environment = readEnvironment();
	vi.stubEnv('SLUICE_LATER', 'x');
	expect(environment.variables['SLUICE_LATER']).toBeUndefined();
});
