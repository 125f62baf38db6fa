/** Runs before `npm pack`, `npm publish` and `npm run pack`, which npm all calls `prepack`: only the last makes a package that is true. */
if (!process.env['npm_command']?.startsWith('run')) {
	process.stderr.write(
		'Use `npm run pack`: the dependencies in this package.json are bundled, and users install none of them.\n',
	);
	process.exitCode = 1;
}
