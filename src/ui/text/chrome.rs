//! The words around every page: top bar, navigation, footer, language, theme.

words! {
    /// The words around every page.
    Chrome {
        skip: "Skip to the content", "跳到正文";
        home: "Ringscope: to the player", "Ringscope：回到播放器";
        tagline: "See, step through and measure collective communication",
            "看清、逐步走过并实测集合通信";
        pages: "Pages", "页面";
        player: "Player", "播放器";
        lessons: "Lessons", "课程";
        training: "Training", "训练";
        bench: "Bench", "性能测试";
        reference: "Reference", "速查";
        workers_shared: "{n} workers · shared memory", "{n} 个 worker · 共享内存";
        workers_ports: "{n} workers · message ports", "{n} 个 worker · 消息端口";
        workers_none: "Workers start when you run", "运行时才启动 worker";
        workers_starting: "Starting {n} workers…", "正在启动 {n} 个 worker…";
        language: "Language", "语言";
        switch_language: "Read this page in Chinese", "切换到英文";
        theme: "Theme", "主题";
        theme_system: "Theme: as the system", "主题：跟随系统";
        theme_light: "Theme: light", "主题：浅色";
        theme_dark: "Theme: dark", "主题：深色";
        measured: "measured here", "本机实测";
        modelled: "modelled", "模型估算";
        published: "published", "公开数据";
        footer_kinds: "Every number says what it is: measured here, modelled, or published with \
            its source.",
            "每个数字都注明来历：本机实测、模型估算，或注明出处的公开数据。";
        footer_local: "Everything runs in your browser; nothing is sent anywhere.",
            "一切都在你的浏览器里运行，不会发送任何数据。";
        close: "Close", "关闭";
        details: "Details", "详情";
    }
}
