/** The shells that completion is made for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/**
The script of each shell for Tab. All ask `sluice completion words`, so names are those of the installed version; output is never evaluated. A tab
separates a word from its summary.
*/
export const completionScripts: Readonly<Record<Shell, string>> = {
	bash: String.raw`# bash completion of sluice. Now: source <(sluice completion bash)
# Always: sluice completion bash > ~/.local/share/bash-completion/completions/sluice
_sluice() {
	local line
	COMPREPLY=()
	while IFS= read -r line; do
		COMPREPLY+=("${'${line%%$'}'\t'*}")
	done < <(sluice completion words -- "${'${COMP_WORDS[@]:1:COMP_CWORD}'}" 2>/dev/null)
}
complete -o default -F _sluice sluice
`,
	zsh: String.raw`#compdef sluice
# zsh completion of sluice. Now: source <(sluice completion zsh)
# Always: sluice completion zsh > a folder of $fpath, as _sluice
_sluice() {
	local line
	local -a found
	while IFS= read -r line; do
		found+=("${'${${line%%$'}'\t'*}//:/\\:}:${'${line#*$'}'\t'}")
	done < <(sluice completion words -- "${'${(@)words[2,CURRENT]}'}" 2>/dev/null)
	if (( ${'${#found}'} )); then
		_describe sluice found
	else
		_files
	fi
}
if [[ $funcstack[1] == _sluice ]]; then
	_sluice "$@"
else
	compdef _sluice sluice
fi
`,
	fish: String.raw`# fish completion of sluice. Now: sluice completion fish | source
# Always: sluice completion fish > ~/.config/fish/completions/sluice.fish
function __sluice_words
	set -l typed (commandline -opc) (commandline -ct)
	sluice completion words -- $typed[2..] 2>/dev/null
end
complete -c sluice -f -a '(__sluice_words)'
`,
};
