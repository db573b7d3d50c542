enum StatusStyle {
    static let css = """
        :root { --page: #f6f7f9; --card: #fff; --edge: #dfe3e8; --text: #1b1f24; --dim: #59636e; --line: #2a6fdb; \
        --area: #2a6fdb22; --good: #1a7f37; --warning: #9a6700; --bad: #c62828; }
        @media (prefers-color-scheme: dark) { :root { --page: #0f1318; --card: #191f26; --edge: #2c343d; \
        --text: #e6eaef; --dim: #9aa5b1; --line: #6ea8fe; --area: #6ea8fe2e; --good: #4cc46a; --warning: #e3b341; \
        --bad: #ff7b72; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.25rem; background: var(--page); color: var(--text); \
        font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
        h1, h2, p, dl, dd { margin: 0; font-weight: inherit; font-size: inherit; }
        header { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; margin-bottom: 1.1rem; }
        h1 { font-size: 1.3rem; font-weight: 600; }
        .state { padding: .1rem .7rem; border: 1px solid currentColor; border-radius: 1rem; font-weight: 600; }
        .reason { flex: 1 1 20rem; color: var(--bad); }
        .facts { flex: 1 1 100%; color: var(--dim); display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; }
        .good { color: var(--good); } .warning { color: var(--warning); } .bad { color: var(--bad); }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .8rem; }
        .tile, .panel, .calls { background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; \
        padding: .8rem 1rem; }
        .tile { display: flex; flex-direction: column; color: var(--text); }
        .tile h2 { color: var(--dim); font-size: .87rem; }
        .panel h2, .calls h2 { font-weight: 600; }
        .tile .value { font-size: 1.75rem; line-height: 1.25; font-weight: 600; font-variant-numeric: tabular-nums; }
        .tile.bad .value { color: var(--bad); } .tile.warning .value { color: var(--warning); }
        .tile .note { color: var(--dim); font-size: .87rem; min-height: 1.3em; }
        .tile svg { width: 100%; height: 2.2rem; margin-top: auto; padding-top: .3rem; }
        .line { fill: none; stroke: var(--line); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
        .area { fill: var(--area); }
        .calls { margin: .8rem 0; }
        .scroll { overflow-x: auto; }
        table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap; font-weight: 400; }
        th:first-child { text-align: left; padding-left: 0; }
        td:last-child, thead th:last-child { padding-right: 0; }
        thead th { color: var(--dim); font-size: .87rem; }
        tbody tr { border-top: 1px solid var(--edge); }
        .panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(16.5rem, 1fr)); gap: .8rem; }
        .panel h2 { margin-bottom: .3rem; }
        dl > div { display: flex; justify-content: space-between; gap: 1rem; padding: .28rem 0; \
        border-top: 1px solid var(--edge); }
        dl > div.good dd, dl > div.warning dd, dl > div.bad dd { color: inherit; }
        dt { color: var(--dim); } dd { text-align: right; overflow-wrap: anywhere; \
        font-variant-numeric: tabular-nums; }
        .bar { display: block; width: 9rem; height: .4rem; margin: .25rem 0 .1rem auto; border-radius: .2rem; \
        background: var(--edge); overflow: hidden; }
        .bar span { display: block; height: 100%; background: var(--line); }
        .warning .bar span { background: var(--warning); } .bad .bar span { background: var(--bad); }
        footer { margin-top: 1.1rem; color: var(--dim); font-size: .87rem; }
        a { color: var(--line); }
        """
}
