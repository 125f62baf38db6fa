#!/usr/bin/env -S node --max-semi-space-size=8 --disable-warning=ExperimentalWarning
// No static import: an old Node would fail on what they need before it could say what is missing.
const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number);
const isSupported =
	(major === 22 && (minor > 22 || (minor === 22 && patch >= 2))) || (major === 24 && minor >= 15) || major >= 26;

if (isSupported) {
	// React's development build costs half again as much time and memory; it looks at this when it loads.
	process.env['NODE_ENV'] ??= 'production';
	const {enableCompileCache} = await import('node:module');
	enableCompileCache();
	const {main} = await import('./cli.ts');
	process.exit(await main(process.argv.slice(2)));
} else {
	process.stderr.write(
		`sluice needs Node.js 22.22.2 or newer, 24.15 or newer, or 26 and later; this is ${process.versions.node}\n`,
	);
	process.exitCode = 1;
}
