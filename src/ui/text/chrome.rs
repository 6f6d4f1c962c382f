//! The words around every page: top bar, navigation, footer, language, theme.

words! {
    /// The words around every page.
    Chrome {
        skip: "Skip to the content", "跳到正文";
        home: "Ringscope: to the player", "Ringscope：回到播放器";
        tagline: "See, step through and measure collective communication",
            "看懂、单步执行并实测集合通信";
        pages: "Pages", "页面";
        player: "Player", "播放器";
        equation: "Equation", "等式";
        compare: "Compare", "对比";
        bench: "Bench", "性能测试";
        compare_with: "Compare with…", "与其他对比…";
        reference: "Reference", "速查";
        workers_ports: "{n} {n|worker|workers} · message ports", "{n} 个 worker · 消息端口";
        workers_shared: "{n} {n|worker|workers} · shared memory", "{n} 个 worker · 共享内存";
        workers_none: "Workers start when you run", "运行时才启动 worker";
        workers_starting: "Starting {n} {n|worker|workers}…", "正在启动 {n} 个 worker…";
        switch_language: "Read this page in Chinese", "切换到英文";
        theme_light: "Theme: light", "主题：浅色";
        theme_dark: "Theme: dark", "主题：深色";
        footer_kinds: "Every number says what it is: measured here, modelled, or published with \
            its source.",
            "每个数字都注明来源：本机实测、模型估算，或注明出处的公开数据。";
        footer_local: "Everything runs in your browser; nothing is sent anywhere.",
            "一切都在你的浏览器里运行，不向外发送任何数据。";
        loading: "Loading…", "正在加载…";
        page_failed: "This page could not be loaded. Check the connection and reload the page.",
            "此页面无法加载。请检查网络连接并重新加载。";
        share: "Share", "分享";
        part_failed: "A part of this page could not be loaded. Check the connection and try again.",
            "此页面的一部分无法加载。请检查网络连接后重试。";
        close: "Close", "关闭";
        details: "Details", "详情";
        open_outside: "Open in Ringscope ↗", "在 Ringscope 中打开 ↗";
    }
}
